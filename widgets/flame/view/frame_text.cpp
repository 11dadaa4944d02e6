#include "widgets/flame/view/frame_text.h"

namespace helio {

QString frameLabel(const SampledFunction& function)
{
    const QString label = QString::fromStdString(function.label());
    const QString module = QString::fromStdString(function.module);
    if (function.name.empty())
        return function.place.empty() && !module.isEmpty() ? QStringLiteral("%1 in %2").arg(label, module)
                                                           // Only the label is shown, because stacks recorded as text have no addresses.
                                                           : label;
    return label.startsWith(QLatin1String("0x")) && !module.isEmpty() ? module + QLatin1Char('+') + label : label;
}

} // namespace helio
