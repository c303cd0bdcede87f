// Part of ServiceBox, released under the MIT License.
// Services whose shape doesn't matter to a test.

/// A service without parts.
final class Clock: Sendable {}
