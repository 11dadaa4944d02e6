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

/// Appearance of a state in the current theme.
struct StateAppearance {
    QString role; ///< Theme role, e.g. "thread.running-user", or "#rrggbb" if the state has its own colour.
    QString words; ///< Name in tooltips, e.g. "Running, user".
    QString legend; ///< Short name in legends, e.g. "user".
    QColor color;
    QColor ink; ///< Colour of text on `color`.
    QColor shadedInk; ///< Colour of text on `color` inside a shaded area (range.shade).
    int height = 0; ///< Height of the bar in sixteenths of the lane.
    BarPattern drawing = BarPattern::Plain;
    /// Position in a stack of states, from the baseline upwards. From RestingOrder (100) on, the state means inactivity, e.g. sleeping; it
    /// is drawn as a line, and only where no other state is drawn.
    int order = 0;
    int severity = 0; ///< Severity of the state; above 0, the state is never hidden. Higher is worse.
    bool isLabelled = false;
    bool isRare = false; ///< True if even the shortest interval is drawn high enough to be noticed.
    bool isInactive() const { return order >= RestingOrder; }
};

/// Appearance of the states of a set, indexed by state number.
using StateLooks = std::vector<StateAppearance>;

/// Colours of a theme by role. A value type whose copies share their table.
class Theme {
public:
    enum class Kind { Dark, Light };

    static Theme make(Kind kind); ///< Reads a theme from the program's resources.
    /// Parses a theme; nullopt if the text is not a JSON object of colours.
    static std::optional<Theme> fromJson(const QByteArray& json, Kind kind);

    Kind kind() const { return m_kind; }
    bool isDark() const { return m_kind == Kind::Dark; }

    /// Colour of a role. Requires: has(role). A missing role is drawn in magenta, so that it is noticed.
    QColor color(QLatin1StringView role) const;
    QColor color(const QString& role) const;
    QColor color(const char* role) const { return color(QLatin1StringView(role)); }
    bool has(const QString& role) const { return m_colors.contains(role.toUtf8()); }
    QStringList roles() const;

    StateLooks looksOf(const StateSet& set) const;
    StateAppearance lookOf(const StateKind& state) const;

    QColor colorOf(const LinkKindInfo& kind) const;
    /// Returns the colour of a theme role, or of "#rrggbb".
    QColor colorOf(const QString& roleOrColor) const;

    static constexpr std::size_t RampSteps = 5;
    /// Colours from low to high values: the ramp that the state names ("freq": freq.0, freq.1...), otherwise shades of the state's colour.
    std::array<QColor, RampSteps> rampOf(const StateKind& state) const;

    /// Category colour number `n`, e.g. of a process or a thread; repeats after the last one.
    QColor category(int n) const;
    /// Returns ink.dark or ink.light, whichever has more contrast with `background`.
    QColor textColorFor(QColor background) const;
    /// Returns `color` as it looks in a shaded area (range.shade).
    QColor shaded(QColor color) const;

    QPalette palette() const;

private:
    QString roleFor(const QString& asked, const QString& name) const;
    QColor inkOf(const QString& role, QColor color) const;

    Kind m_kind = Kind::Dark;
    QHash<QByteArray, QColor> m_colors; ///< Colours by role. Keys are bytes, so that a literal is looked up without conversion.
};

/// Returns the colour of `over`, with its alpha, painted on `under`.
QColor blended(QColor under, QColor over);
/// Mixes `color` into `ground`: `share` is 0 for `ground` and 1 for `color`.
QColor mixed(QColor ground, QColor color, qreal share);
/// Returns the WCAG contrast of two opaque colours, 1 to 21.
qreal contrast(QColor a, QColor b);

} // namespace helio
