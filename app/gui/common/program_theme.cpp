#include "app/gui/common/program_theme.h"

#include "widgets/controls/icons.h"
#include "widgets/style/control_style.h"
#include "widgets/theme/themes.h"

namespace helio {

ProgramTheme::ProgramTheme(QObject* parent)
    : QObject(parent)
{
    connect(&m_desktop, &DesktopTheme::changed, this, &ProgramTheme::apply);
    apply();
}

void ProgramTheme::choose(Settings::ThemeChoice choice)
{
    m_settings.setTheme(choice);
    apply();
}

void ProgramTheme::apply()
{
    const bool isDark =
        choice() == Settings::ThemeChoice::Desktop ? m_desktop.kind() == Theme::Kind::Dark : choice() == Settings::ThemeChoice::Dark;
    useControlStyle([](const QString& name) { return themedIcon(name); });
    Themes::instance().setTheme(isDark ? Theme::Kind::Dark : Theme::Kind::Light);
}

} // namespace helio
