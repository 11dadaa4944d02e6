#include "widgets/fleet/finding_color.h"

#include "widgets/theme/themes.h"
#include "widgets/time/qt_text.h"

namespace helio {

QColor findingColor(const std::string& color)
{
    const QString role = text(color);
    const QColor written = role.startsWith(QLatin1Char('#')) ? QColor(role) : QColor();
    return written.isValid() ? written : theme().color(theme().has(role) ? role : QStringLiteral("text.secondary"));
}

} // namespace helio
