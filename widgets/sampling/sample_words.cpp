#include "widgets/sampling/sample_words.h"

#include "core/query/samples/amount_text.h"
#include "widgets/sampling/sample_model.h"
#include "widgets/shell/menus.h"
#include "widgets/time/time_format.h"

namespace helio {

void addSampleChoices(QMenu* menu, SampleModel& samples)
{
    addChoice(menu, SampleModel::tr("Inlined functions as frames of their own"), samples.expandsInlined(),
              [&samples] { samples.setExpandsInlined(!samples.expandsInlined()); });
    addChoice(menu, SampleModel::tr("Mark the chosen function on the rows of the timelines"), samples.marksFunction(),
              [&samples] { samples.setMarksFunction(!samples.marksFunction()); });
}

QString amountText(const SampleSum& sum, WeightBy by, const SampleKind& kind)
{
    if (by == WeightBy::Samples)
        return sum.samples == 1 ? SampleModel::tr("1 sample") : SampleModel::tr("%1 samples").arg(countText(qint64(sum.samples)));
    if (kind.unit == "ns")
        return durationText(Duration(qint64(sum.weight)));
    return QStringLiteral("%1 %2").arg(countText(qint64(sum.weight)), QString::fromStdString(weightWord(kind)));
}

QString headingText(const SampleSum& sum, WeightBy by, const SampleKind& kind)
{
    const QString samples = amountText(sum, WeightBy::Samples, kind);
    return by == WeightBy::Samples ? samples : SampleModel::tr("%1 in %2").arg(QString::fromStdString(amountWords(sum, by, kind)), samples);
}

} // namespace helio
