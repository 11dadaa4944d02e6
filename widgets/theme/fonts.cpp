#include "widgets/theme/fonts.h"

#include <QFontDatabase>
#include <QFontInfo>
#include <QGuiApplication>
#include <QRawFont>
#include <QScreen>

#include <algorithm>

namespace helio {

namespace {

QFont systemFont()
{
    QFont font = QFontDatabase::systemFont(QFontDatabase::GeneralFont);
    // If no desktop defines a font, the font that the packages install is used.
    if (qEnvironmentVariableIsEmpty("XDG_CURRENT_DESKTOP") && QFontDatabase::hasFamily(QStringLiteral("Inter"))) {
        font.setFamily(QStringLiteral("Inter"));
        font.setPixelSize(13);
    }
    return font;
}

/// Converts pixels to points, because Qt's pixel sizes are integers, but its point sizes are not.
qreal pointsOf(qreal pixels)
{
    const QScreen* screen = QGuiApplication::primaryScreen();
    return pixels * 72 / (screen ? screen->logicalDotsPerInchY() : 96);
}

/// True if FreeType draws this font too heavy. Qt has FreeType darken the stems of CFF outlines (qfontengine_ft.cpp): below about 16
/// pixels, regular then looks like medium. False if the family lacks the lighter weights that compensate for it.
bool isDarkened(const QFont& general)
{
    if (qApp->devicePixelRatio() >= 1.5 || QRawFont::fromFont(general).fontTable("CFF ").isEmpty())
        return false;
    QFont light = general;
    light.setWeight(QFont::Light);
    return QFontInfo(light).weight() == QFont::Light && QFontInfo(light).family() == QFontInfo(general).family();
}

} // namespace

Fonts::Fonts()
    : Fonts(systemFont())
{
}

Fonts::Fonts(const QFont& general)
    : m_general(general)
    , m_fixed(QFontDatabase::systemFont(QFontDatabase::FixedFont))
    , m_scale(std::clamp(QFontInfo(general).pixelSize() / 13.0, 0.75, 3.0))
    , m_isDarkened(isDarkened(general))
{
}

QFont Fonts::at(qreal size, int weight) const
{
    QFont font = m_general;
    font.setPointSizeF(pointsOf(std::max(6.0, size * m_scale)));
    font.setWeight(QFont::Weight(m_isDarkened ? weight - 100 : weight));
    font.setHintingPreference(QFont::PreferNoHinting); // No hinting, so that letters have the same relative widths at every scale.
    // With shaping, Inter would draw the x in the address 0x5562 as a multiplication sign, and <=> as an arrow.
    font.setStyleStrategy(QFont::PreferNoShaping);
    return font;
}

QFont Fonts::fixed(qreal size) const
{
    QFont font = m_fixed;
    font.setPointSizeF(pointsOf(std::max(6.0, size * m_scale)));
    return font;
}

} // namespace helio
