#include "widgets/profiling/sample_text.h"

#include "core/profiling/samples/amount_text.h"
#include "widgets/controls/menus.h"
#include "widgets/profiling/sample_model.h"
#include "widgets/time/time_format.h"

#include <algorithm>

namespace helio {

void addSampleChoices(QMenu* menu, SampleModel& samples)
{
    addExclusiveAction(menu, SampleModel::tr("Show inlined functions"), samples.expandsInlined(),
                       [&samples] { samples.setExpandsInlined(!samples.expandsInlined()); });
    addExclusiveAction(menu, SampleModel::tr("Highlight selected function in timeline"), samples.marksFunction(),
                       [&samples] { samples.setMarksFunction(!samples.marksFunction()); });
}

QString kindLine(const SampleKindFacts& kind)
{
    return QStringLiteral("%1   %2").arg(QString::fromStdString(kind.label()), countText(kind.samples, kind.kind));
}

QString kindsHeading(const std::vector<SampleKindFacts>& kinds)
{
    const auto calls = std::ranges::count_if(kinds, [](const SampleKindFacts& it) { return areCalls(it.kind); });
    return calls == 0                        ? SampleModel::tr("Event")
        : std::size_t(calls) == kinds.size() ? SampleModel::tr("Kind of calls")
                                             : SampleModel::tr("Event or kind of calls");
}

QString countedTitle(const SampleKind& kind)
{
    if (kind.origin == SampleKind::Origin::Summed)
        return SampleModel::tr("Records");
    return areCalls(kind) ? SampleModel::tr("Calls") : SampleModel::tr("Samples");
}

QString countText(std::uint64_t count, const SampleKind& kind)
{
    return kind.divisor() == 1 ? countText(qint64(count)) : QString::fromStdString(exactCount(count, kind.divisor()));
}

QString amountText(const SampleSum& sum, WeightBy by, const SampleKind& kind)
{
    if (by == WeightBy::Samples && areCalls(kind))
        return sum.samples == 1 ? SampleModel::tr("1 call") : SampleModel::tr("%1 calls").arg(countText(qint64(sum.samples)));
    if (by == WeightBy::Samples && kind.origin == SampleKind::Origin::Summed)
        return sum.samples == 1 ? SampleModel::tr("1 record") : SampleModel::tr("%1 records").arg(countText(qint64(sum.samples)));
    if (by == WeightBy::Samples)
        return sum.samples == kind.divisor() ? SampleModel::tr("1 sample")
                                             : SampleModel::tr("%1 samples").arg(countText(sum.samples, kind));
    if (kind.unit == "ns")
        return durationText(Duration(qint64(sum.weight)));
    return QStringLiteral("%1 %2").arg(countText(sum.weight, kind), QString::fromStdString(weightWord(kind)));
}

QString headingText(const SampleSum& sum, WeightBy by, const SampleKind& kind)
{
    const QString samples = amountText(sum, WeightBy::Samples, kind);
    return by == WeightBy::Samples ? samples : SampleModel::tr("%1 in %2").arg(QString::fromStdString(amountWords(sum, by, kind)), samples);
}

} // namespace helio
