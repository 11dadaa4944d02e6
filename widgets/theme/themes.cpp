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
        QApplication::setStyle(QStyleFactory::create(QStringLiteral("Fusion")));
        QApplication::setPalette(m_theme.palette());
        qApp->setStyleSheet(m_theme.styleSheet());
        QApplication::setFont(m_fonts.body());
    }
    emit changed();
}

void Themes::updateFonts()
{
    m_fonts = Fonts();
    emit changed();
}

} // namespace helio
