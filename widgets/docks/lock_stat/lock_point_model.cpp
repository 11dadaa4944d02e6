#include "widgets/docks/lock_stat/lock_point_model.h"

#include "widgets/time/qt_text.h"
#include "widgets/time/time_format.h"

#include <tuple>

namespace helio {

LockPointModel::LockPointModel()
{
    using Line = LockStatPoint;
    const auto tip = [](const Line& it) {
        return (it.holds ? tr("Code here held the lock during %1 waits: %2 %3") : tr("Code here waited %1 times for the lock: %2 %3"))
            .arg(countText(it.contentions), text(it.symbol), text(it.address))
            .toHtmlEscaped();
    };
    const auto color = [](const char* name) { return [name](const Line&) { return QString(name); }; };
    setColumns({
        {{}, [](const Line& it) { return it.holds ? tr("held") : tr("waited"); }, false, {}, tip, {}, color("text.secondary")},
        {tr("Contentions"), [](const Line& it) { return countText(it.contentions); }, true, {}, tip},
        {tr("Kernel function"), [](const Line& it) { return text(it.symbol); }, false, {}, tip, {}, color("text.primary")},
        {tr("Address"), [](const Line& it) { return text(it.address); }, false, {}, tip},
    });
}

void LockPointModel::setPoints(std::vector<LockStatPoint> points)
{
    std::ranges::stable_sort(points, {}, [](const LockStatPoint& it) { return std::tuple(it.holds, -it.contentions); });
    setLines(std::move(points));
}

} // namespace helio
