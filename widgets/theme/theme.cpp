#include "widgets/theme/theme.h"

#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>
#include <cmath>

static void initResources()
{
    Q_INIT_RESOURCE(resources); // The resources of a static library must be initialized explicitly, by a function outside of any namespace.
}

namespace helio {

static QString text(const std::string& s) { return QString::fromUtf8(s.data(), qsizetype(s.size())); }

QColor blended(QColor under, QColor over) { return mixed(under, QColor(over.red(), over.green(), over.blue()), over.alphaF()); }

QColor mixed(QColor ground, QColor color, qreal share)
{
    const auto part = [share](int from, int to) { return int(std::lround(from + (to - from) * share)); };
    return {part(ground.red(), color.red()), part(ground.green(), color.green()), part(ground.blue(), color.blue())};
}

qreal contrast(QColor a, QColor b)
{
    const auto channel = [](qreal c) { return c <= 0.03928 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4); };
    const auto luminance = [&](const QColor& c) {
        return 0.2126 * channel(c.redF()) + 0.7152 * channel(c.greenF()) + 0.0722 * channel(c.blueF());
    };
    const auto [low, high] = std::minmax({luminance(a), luminance(b)});
    return (high + 0.05) / (low + 0.05);
}

Theme Theme::make(Kind kind)
{
    initResources();
    QFile file(kind == Kind::Dark ? QStringLiteral(":/themes/theme-dark.json") : QStringLiteral(":/themes/theme-light.json"));
    if (file.open(QIODevice::ReadOnly)) {
        if (auto theme = fromJson(file.readAll(), kind))
            return *theme;
    }
    qWarning("theme: %s cannot be read", qPrintable(file.fileName()));
    return {};
}

std::optional<Theme> Theme::fromJson(const QByteArray& json, Kind kind)
{
    const QJsonDocument document = QJsonDocument::fromJson(json);
    if (!document.isObject())
        return std::nullopt;
    Theme theme;
    theme.m_kind = kind;
    const QJsonObject object = document.object();
    for (auto it = object.begin(); it != object.end(); ++it) {
        const QColor color(it.value().toString());
        if (!color.isValid())
            return std::nullopt;
        theme.m_colors.insert(it.key().toUtf8(), color);
    }
    return theme;
}

QColor Theme::color(QLatin1StringView role) const
{
    const auto it = m_colors.constFind(QByteArray::fromRawData(role.data(), role.size()));
    return it != m_colors.constEnd() ? *it : QColor(Qt::magenta);
}

QColor Theme::color(const QString& role) const
{
    const QByteArray name = role.toUtf8();
    return color(QLatin1StringView(name));
}

QStringList Theme::roles() const
{
    QStringList names;
    for (auto it = m_colors.keyBegin(); it != m_colors.keyEnd(); ++it)
        names.append(QString::fromUtf8(*it));
    return names;
}

QColor Theme::category(int n) const { return color(QStringLiteral("cat.%1").arg(((n % 20) + 20) % 20, 2, 10, QLatin1Char('0'))); }

QColor Theme::textColorFor(QColor background) const
{
    const QColor dark = color("ink.dark");
    const QColor light = color("ink.light");
    return contrast(background, dark) >= contrast(background, light) ? dark : light;
}

QColor Theme::shaded(QColor c) const { return blended(c, color("range.shade")); }

QColor Theme::inkOf(const QString& role, QColor background) const
{
    const auto it = m_colors.constFind(role.toUtf8() + ".ink");
    return it != m_colors.constEnd() ? *it : textColorFor(background);
}

/// Returns `asked` if it is a role of the theme or a valid colour; otherwise a category colour chosen by `name`.
QString Theme::roleFor(const QString& asked, const QString& name) const
{
    const bool isKnown = asked.startsWith(QLatin1Char('#')) ? QColor(asked).isValid() : has(asked);
    return isKnown ? asked : QStringLiteral("cat.%1").arg(qHash(name, 0) % 20, 2, 10, QLatin1Char('0'));
}

QColor Theme::colorOf(const QString& roleOrColor) const
{
    return roleOrColor.startsWith(QLatin1Char('#')) ? QColor(roleOrColor) : color(roleOrColor);
}

QColor Theme::colorOf(const LinkKindInfo& kind) const { return colorOf(roleFor(text(kind.color), text(kind.id))); }

StateAppearance Theme::lookOf(const StateKind& state) const
{
    const StateStyle& style = state.style;
    const QString name = text(state.name);
    StateAppearance look{text(style.color),
                         style.words.empty() ? name : text(style.words),
                         style.legend.empty() ? name : text(style.legend),
                         {},
                         {},
                         {},
                         style.height,
                         style.drawing,
                         style.order,
                         style.severity,
                         style.has(StateFlag::Labelled),
                         style.has(StateFlag::AlwaysVisible)};
    look.role = roleFor(look.role, name);
    look.color = colorOf(look.role);
    look.ink = inkOf(look.role, look.color);
    look.shadedInk = textColorFor(shaded(look.color));
    return look;
}

std::array<QColor, Theme::RampSteps> Theme::rampOf(const StateKind& state) const
{
    std::array<QColor, RampSteps> ramp;
    const QColor whole = lookOf(state).color;
    for (std::size_t i = 0; i < RampSteps; ++i) {
        const QString role = text(state.style.color) + QStringLiteral(".%1").arg(i);
        ramp[i] = has(role) ? color(role) : mixed(color("surface.timeline"), whole, qreal(i + 1) / RampSteps);
    }
    return ramp;
}

StateLooks Theme::looksOf(const StateSet& set) const
{
    StateLooks looks;
    looks.reserve(set.states.size());
    for (const StateKind& state : set.states)
        looks.push_back(lookOf(state));
    return looks;
}

QPalette Theme::palette() const
{
    QPalette p;
    const auto set = [&](QPalette::ColorRole role, const char* name) { p.setColor(role, color(name)); };
    set(QPalette::Window, "surface.window");
    set(QPalette::WindowText, "text.primary");
    set(QPalette::Base, "surface.input");
    set(QPalette::AlternateBase, "surface.group");
    set(QPalette::Text, "text.primary");
    set(QPalette::Button, "surface.header");
    set(QPalette::ButtonText, "text.primary");
    set(QPalette::BrightText, "severity.error");
    set(QPalette::Highlight, "surface.selected");
    set(QPalette::HighlightedText, "text.primary");
    set(QPalette::ToolTipBase, "surface.raised");
    set(QPalette::ToolTipText, "text.primary");
    set(QPalette::PlaceholderText, "text.hint");
    set(QPalette::Link, "text.link");
    set(QPalette::LinkVisited, "text.link");
    set(QPalette::Light, "line.faint");
    set(QPalette::Midlight, "line.faint");
    set(QPalette::Mid, "line.subtle");
    set(QPalette::Dark, "line.strong");
    set(QPalette::Shadow, "line.strong");
    for (const QPalette::ColorRole role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText, QPalette::HighlightedText})
        p.setColor(QPalette::Disabled, role, color("text.disabled"));
    return p;
}

} // namespace helio
