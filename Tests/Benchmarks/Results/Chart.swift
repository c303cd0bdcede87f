// Part of ServiceBox, released under the MIT License.
// The results as a drawing.

import Foundation

/// A bar for each measure that is compared with something: how many times the other it takes, on a scale of powers of two.
package struct Chart {
    private static let (rowHeight, labelWidth, barWidth, margin) = (18.0, 420.0, 420.0, 16.0)
    /// The powers of two at the ends of the scale.
    private static let scale = (lowest: -1.0, highest: 9.0)

    private let rows: [Row]

    private struct Row {
        let name: String
        let ratio: Double
        let bar: Double?
        let isMissed: Bool
    }

    package init(_ results: Results) {
        rows = results.outcomes.compactMap { outcome in
            guard let reference = outcome.reference, let value = outcome.value,
                let other = outcome.referenceValue, let figure = outcome.figure, other > 0
            else { return nil }
            let isRatio = outcome.unit == "ns" || outcome.bar == nil
            return Row(
                name: "\(outcome.name) : \(reference)", ratio: isRatio ? figure : value / other,
                bar: isRatio ? outcome.bar : nil, isMissed: outcome.verdict == .missed)
        }
    }

    /// The drawing, as SVG.
    package var svg: String {
        let height = Self.margin * 2 + Self.rowHeight * Double(rows.count + 1)
        let width = Self.margin * 2 + Self.labelWidth + Self.barWidth + 60
        let ticks = stride(from: Self.scale.lowest, through: Self.scale.highest, by: 1).map { exponent in
            let place = Self.place(pow(2, exponent))
            return """
                <line x1="\(place)" y1="\(Self.margin + 12)" x2="\(place)" y2="\(height - Self.margin)" stroke="#ddd"/>
                <text x="\(place)" y="\(Self.margin + 6)" text-anchor="middle" fill="#666">\(Self.number(pow(2, exponent)))</text>
                """
        }
        return """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(width) \(height)" font-family="sans-serif" font-size="11">
            <rect width="100%" height="100%" fill="#fff"/>
            \(ticks.joined(separator: "\n"))
            \(rows.enumerated().map(Self.draw).joined(separator: "\n"))
            </svg>

            """
    }

    private static func draw(_ index: Int, _ row: Row) -> String {
        let top = margin + rowHeight * Double(index + 1)
        let (start, end) = (place(1), place(row.ratio))
        let color = row.isMissed ? "#c0392b" : row.bar == nil ? "#95a5a6" : "#2e86c1"
        let bar = row.bar.map {
            """
            <line x1="\(place($0))" y1="\(top)" x2="\(place($0))" y2="\(top + 14)" stroke="#000" stroke-width="2"/>
            """
        }
        return """
            <text x="\(margin + labelWidth - 8)" y="\(top + 11)" text-anchor="end" fill="#222">\(escaped(row.name))</text>
            <rect x="\(min(start, end))" y="\(top + 2)" width="\(max(abs(end - start), 1))" height="10" fill="\(color)"/>
            \(bar ?? "")
            <text x="\(max(start, end) + 4)" y="\(top + 11)" fill="#222">\(number(row.ratio))</text>
            """
    }

    /// Where a ratio lies.
    private static func place(_ ratio: Double) -> Double {
        let exponent = min(max(log2(max(ratio, 1e-9)), scale.lowest), scale.highest)
        let part = (exponent - scale.lowest) / (scale.highest - scale.lowest)
        return ((margin + labelWidth + part * barWidth) * 10).rounded() / 10
    }

    private static func number(_ ratio: Double) -> String {
        ratio >= 10 ? String(format: "%.0f", ratio) : String(format: "%.2g", ratio)
    }

    private static func escaped(_ text: String) -> String {
        text.replacingOccurrences(of: "&", with: "&amp;").replacingOccurrences(of: "<", with: "&lt;")
            .replacingOccurrences(of: "\"", with: "&quot;")
    }
}
