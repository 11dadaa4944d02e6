#pragma once

#include <QPainter>
#include <QString>

namespace helio {

/// What stands in a view while it has nothing to show: what that is, and how to get some.
struct EmptyWords {
    QString what;
    QString how;

    bool isEmpty() const { return what.isEmpty(); }
    /// That the words take in that width, with room around them; 0 without any.
    int heightIn(int width) const;
    /// In the middle; from the top where not all fits, so that the sentence itself is seen.
    void paint(QPainter& painter, const QRect& area) const;
    bool operator==(const EmptyWords&) const = default;

private:
    QString text() const { return how.isEmpty() ? what : what + QLatin1Char('\n') + how; }
};

} // namespace helio
