#include "widgets/theme/themes.h"

#include <QApplication>
#include <QStyleFactory>

namespace helio {

Themes::Themes()
    : m_theme(Theme::make(Theme::Kind::Dark))
{
}

Themes& Themes::instance()
{
    static Themes themes;
    return themes;
}

void Themes::setTheme(Theme::Kind kind)
{
    m_theme = Theme::make(kind);
    if (qobject_cast<QApplication*>(QCoreApplication::instance())) {
        // Else a widget that moves to another parent would get back the palette and font that it had before the style sheet came.
        QCoreApplication::setAttribute(Qt::AA_UseStyleSheetPropagationInWidgetStyles);
        QApplication::setStyle(QStyleFactory::create(QStringLiteral("Fusion")));
        QApplication::setPalette(m_theme.palette());
        qApp->setStyleSheet(m_theme.styleSheet());
        QApplication::setFont(m_fonts.body());
    }
    emit changed();
}

void Themes::updateFonts()
{
    const Fonts now;
    if (now.body() == m_fonts.body() && now.fixed() == m_fonts.fixed())
        return;
    m_fonts = now;
    if (qobject_cast<QApplication*>(QCoreApplication::instance()))
        QApplication::setFont(m_fonts.body());
    emit changed();
}

} // namespace helio
