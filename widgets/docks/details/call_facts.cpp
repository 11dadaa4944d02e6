#include "widgets/docks/details/call_facts.h"

#include "core/query/events/system_call_fields.h"
#include "widgets/docks/details/details_view.h"
#include "widgets/time/qt_text.h"

namespace helio {

void addCallFacts(const std::shared_ptr<const Timeline>& timeline, StateDetails& details, std::stop_token stop)
{
    if (!isSystemCall(details.state) || details.value.isEmpty())
        return;
    const SystemCallFields fields = readSystemCall(timeline, details.row, details.range, details.value.toStdString(), stop);
    const auto add = [&](const QString& title, const std::string& value) {
        if (!value.empty())
            details.facts.push_back({title, text(value), {}, {}});
    };
    add(DetailsView::tr("Arguments"), fields.arguments);
    add(DetailsView::tr("Result"), fields.result);
    add(DetailsView::tr("Call stack"), fields.stack);
}

} // namespace helio
