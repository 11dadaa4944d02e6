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

/// Appearance of a state in a theme.
struct StateAppearance {
    QString role; ///< Theme role, e.g. "thread.running-user", or "#rrggbb" if the state has its own colour.
    QString words; ///< Name in tooltips, e.g. "Running, user".
    QString legend; ///< Short name in legends, e.g. "user".
    QColor color;
    QColor ink; ///< Colour of text on `color`.
    QColor shadedInk; ///< Colour of text on `color` under range.shade.
    int height = 0; ///< Height of the bar in sixteenths of the lane.
    BarPattern drawing = BarPattern::Plain;
    int order = 0; ///< Position in a stack, from the baseline up. From 100 on: resting states, drawn as the line.
    int severity = 0; ///< Above 0: never hidden; higher is worse.
    bool isLabelled = false;
    bool isRare = false; ///< True if even the shortest interval is drawn high enough to be found.
    bool isInactive() const { return order >= RestingOrder; }
};

/// Appearance of the states of a state set, by state number.
using StateLooks = std::vector<StateAppearance>;

/// Colours of a theme by role. A value that shares its table.
class Theme {
public:
    enum class Kind { Dark, Light };

    static Theme make(Kind kind); ///< Reads the theme from the program's resources.
    /// nullopt if the text is no JSON object of colours.
    static std::optional<Theme> fromJson(const QByteArray& json, Kind kind);

    Kind kind() const { return m_kind; }
    bool isDark() const { return m_kind == Kind::Dark; }

    /// Requires: has(role). A missing role is drawn in magenta, so that it is noticed.
    QColor color(QLatin1StringView role) const;
    QColor color(const QString& role) const;
    QColor color(const char* role) const { return color(QLatin1StringView(role)); }
    bool has(const QString& role) const { return m_colors.contains(role.toUtf8()); }
    QStringList roles() const;

    StateLooks looksOf(const StateSet& set) const;
    StateAppearance lookOf(const StateKind& state) const;

    QColor colorOf(const LinkKindInfo& kind) const;

    static constexpr std::size_t RampSteps = 5;
    /// Ramp from low to high values: the ramp's colours that the state names ("freq": freq.0, freq.1...), or else shades of the state's
    /// colour.
    std::array<QColor, RampSteps> rampOf(const StateKind& state) const;

    /// The n-th category colour, e.g. of a process or a thread; starts again after the last one.
    QColor category(int n) const;
    /// Returns ink.dark or ink.light, whichever has more contrast on `background`.
    QColor textColorFor(QColor background) const;
    /// Returns `color` under range.shade.
    QColor shaded(QColor color) const;

    QPalette palette() const;

private:
    QString roleFor(const QString& asked, const QString& name) const;
    QColor colorOf(const QString& roleOrColor) const;
    QColor inkOf(const QString& role, QColor color) const;

    Kind m_kind = Kind::Dark;
    QHash<QByteArray, QColor> m_colors; ///< Keys are bytes, so that a literal is looked up without conversion.
};

/// Returns `over`, with its alpha, laid on `under`.
QColor blended(QColor under, QColor over);
/// Mixes `color` into `ground`: a share of 1 gives `color`.
QColor mixed(QColor ground, QColor color, qreal share);
/// WCAG contrast of two opaque colours, 1 to 21.
qreal contrast(QColor a, QColor b);

} // namespace helio
