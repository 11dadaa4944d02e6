#pragma once

#include "core/store/links.h"

#include <QColor>
#include <QHash>
#include <QPalette>
#include <QString>

#include <array>
#include <optional>
#include <string_view>
#include <vector>

namespace helio {

/// What a state looks like in a theme.
struct StateLook {
    QString role; ///< "thread.running-user"; "#rrggbb" of a colour of its own
    QString words; ///< "Running, user": for tooltips.
    QString legend; ///< "user": for chips.
    QColor color;
    QColor ink; ///< For text on the colour.
    QColor shadedInk; ///< For text on the colour under the range's shade.
    int height = 0; ///< Sixteenths of the band.
    Drawing drawing = Drawing::Plain;
    int order = 0; ///< In a stack, from the baseline up. Resting states: 100 and more, drawn as the line.
    int severity = 0; ///< Above 0: never hidden; the higher, the worse.
    bool isLabelled = false;
    bool isRare = false; ///< However short, high enough to be found.
    bool isResting() const { return order >= RestingOrder; }
};

/// The looks of a state set, by state number.
using StateLooks = std::vector<StateLook>;

/// The colours of a theme, by role. A value that shares its table.
class Theme {
public:
    enum class Kind { Dark, Light };

    static Theme make(Kind kind); ///< From the program's resources.
    /// Empty where the text is not an object of colours.
    static std::optional<Theme> fromJson(const QByteArray& json, Kind kind);

    Kind kind() const { return m_kind; }
    bool isDark() const { return m_kind == Kind::Dark; }

    /// Requires: has(role). A role that is missing is drawn in magenta, not silently.
    QColor color(QLatin1StringView role) const;
    QColor color(const QString& role) const;
    QColor color(const char* role) const { return color(QLatin1StringView(role)); }
    bool has(const QString& role) const { return m_colors.contains(role.toUtf8()); }
    QStringList roles() const;

    StateLooks looksOf(const StateSet& set) const;
    StateLook lookOf(const StateKind& state) const;

    QColor colorOf(const LinkKindInfo& kind) const;

    static constexpr std::size_t RampSteps = 5;
    /// From low to high: the colours of the ramp that the state names ("freq": freq.0, freq.1...), else shades of the state's own colour.
    std::array<QColor, RampSteps> rampOf(const StateKind& state) const;

    /// The n-th colour of a category (a process, a thread), round and round.
    QColor category(int n) const;
    /// ink.dark or ink.light, whichever reads better on the colour.
    QColor inkFor(QColor background) const;
    /// The colour under range.shade.
    QColor shaded(QColor color) const;

    QPalette palette() const;

private:
    QString roleFor(const QString& asked, const QString& name) const;
    QColor colorOf(const QString& roleOrColor) const;
    QColor inkOf(const QString& role, QColor color) const;

    Kind m_kind = Kind::Dark;
    QHash<QByteArray, QColor> m_colors; ///< By bytes: a literal is looked up as it is.
};

/// `over` (with its alpha) laid on `under`.
QColor blended(QColor under, QColor over);
/// `color` mixed into `ground`: share 1 is the colour.
QColor mixed(QColor ground, QColor color, qreal share);
/// WCAG contrast of two opaque colours: 1 to 21.
qreal contrast(QColor a, QColor b);

} // namespace helio
