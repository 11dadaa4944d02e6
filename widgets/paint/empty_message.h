#pragma once

#include <QPainter>
#include <QString>

namespace helio {

/// Text of an empty view: what is missing, and how to get it.
struct EmptyMessage {
    QString what;
    QString how;

    bool isEmpty() const { return what.isEmpty(); }
    /// Returns the height of the text at a width, with margins, in pixels; 0 if there is no text.
    int heightIn(int width) const;
    /// Paints the text in the middle of `area`. If it does not fit, it starts at the top, so that its first sentence is visible.
    void paint(QPainter& painter, const QRect& area) const;
    bool operator==(const EmptyMessage&) const = default;

private:
    QString text() const { return how.isEmpty() ? what : what + QLatin1Char('\n') + how; }
};

} // namespace helio
