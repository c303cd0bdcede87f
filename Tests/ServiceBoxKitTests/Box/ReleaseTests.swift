// Part of ServiceBox, released under the MIT License.
// Tests of what a box, its services and its objects keep alive.

import ServiceBoxKit
import Testing

@Suite("Lifetimes of boxes, services and objects")
struct ReleaseTests {
    @Test("a private box is released although it contains itself")
    func boxGoes() {
        weak var gone: ServiceBox?
        do {
            let box = ServiceBox()
            gone = box
            box.register(1, as: "number")
            box.fill(Holder())
            _ = box.crossFill()
            _ = box.registrations
        }
        #expect(gone == nil)
    }

    @Test("an object that holds the box keeps it alive until its own release")
    func holderKeepsBox() {
        weak var gone: ServiceBox?
        var holder: BoxHolder? = BoxHolder()
        do {
            let box = ServiceBox()
            gone = box
            if let holder { box.fill(holder) }
        }
        #expect(gone != nil)
        #expect(holder?.serviceBox === gone)
        holder = nil
        #expect(gone == nil)
    }

    @Test("a service that holds the box weakly doesn't keep it alive")
    func weakBoxInService() {
        weak var gone: ServiceBox?
        do {
            let box = ServiceBox()
            gone = box
            box.register(WeakBoxHolder(), as: "holder")
            box.crossFill()
        }
        #expect(gone == nil)
    }

    @Test("a service that holds the box strongly is reported as a cycle, which clearing breaks")
    func strongBoxInService() {
        weak var gone: ServiceBox?
        do {
            let box = ServiceBox()
            gone = box
            box.register(BoxHolder(), as: "holder")
            let report = box.crossFill().report(on: BoxHolder.self)
            #expect(report?.notes.map(\.outcome) == [.strongCycle])
            box.clear()
        }
        #expect(gone == nil)
    }

    @Test("repeated fills keep nothing alive once the object is released")
    func noLeakPerProperty() {
        weak var goneHolder: Holder?
        let services = (0..<50).map { _ in WeakService() }
        do {
            let box = ServiceBox()
            let holder = Holder()
            goneHolder = holder
            for index in 0..<50 {
                let service = Service()
                services[index].service = service
                box.register(service, as: "service")
                box.fill(holder)
                box.fill(holder)
            }
        }
        #expect(goneHolder == nil)
        #expect(services.allSatisfy { $0.service == nil })
    }

    @Test("two services that hold each other are reported, and one weak slot breaks the cycle")
    func cycle() {
        weak var gone: Ping?
        do {
            let box = ServiceBox()
            let ping = Ping()
            gone = ping
            box.register(ping, as: "ping")
            box.register(Pong(), as: "pong")
            let reports = box.crossFill()
            #expect(reports.report(on: Ping.self)?.notes.isEmpty == true)
            #expect(reports.report(on: Pong.self)?.notes.map(\.name) == ["ping"])
            box.clear()
            #expect(ping.pong?.ping === ping)
            ping.pong = nil
        }
        #expect(gone == nil)
        weak var goneTeacher: Teacher?
        do {
            let box = ServiceBox()
            let teacher = Teacher()
            goneTeacher = teacher
            box.register(teacher, as: "teacher")
            box.register(Pupil(), as: "pupil")
            let reports = box.crossFill()
            #expect(reports.allSatisfy { $0.notes.isEmpty })
            #expect(teacher.pupil?.teacher === teacher)
        }
        #expect(goneTeacher == nil)
    }

    @Test("a removed service is released when no object holds it, whatever reports and programs exist")
    func removedService() {
        let box = ServiceBox()
        weak var gone: Service?
        var reports: [FillReport] = []
        do {
            let service = Service()
            gone = service
            box.register(service, as: "service")
            reports.append(box.fill(Holder()))
            reports.append(box.fill(Holder()))
            reports += box.crossFill()
        }
        #expect(gone != nil)
        box.remove("service")
        #expect(gone == nil)
        #expect(reports[0].outcome(of: "service") == .filled)
    }

    @Test("a value set in code is released when another is set, or with the object")
    func byHand() {
        weak var first: Service?
        weak var second: Service?
        do {
            let holder = Holder()
            do {
                let service = Service()
                first = service
                holder.service = service
            }
            #expect(first != nil)
            holder.service = Service()
            #expect(first == nil)
            second = holder.service
            #expect(second != nil)
        }
        #expect(second == nil)
    }
}

private final class Service: Sendable {}

private final class WeakService {
    weak var service: Service?
}

private final class Holder {
    @Injected var service: Service?
}

private final class BoxHolder: @unchecked Sendable {
    @Injected var serviceBox: ServiceBox?
}

private final class WeakBoxHolder: @unchecked Sendable {
    @WeakInjected var serviceBox: ServiceBox?
}

private final class Ping: @unchecked Sendable {
    @Injected var pong: Pong?
}

private final class Pong: @unchecked Sendable {
    @Injected var ping: Ping?
}

private final class Teacher: @unchecked Sendable {
    @Injected var pupil: Pupil?
}

private final class Pupil: @unchecked Sendable {
    @WeakInjected var teacher: Teacher?
}
