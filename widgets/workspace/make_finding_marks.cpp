#include "widgets/workspace/make_finding_marks.h"

#include "widgets/time/qt_text.h"
#include "widgets/time/time_format.h"

#include <QCoreApplication>

namespace helio {

std::shared_ptr<const FindingMarks> makeFindingMarks(const Finding& finding, int rank)
{
    const auto tr = [](const char* words) { return QCoreApplication::translate("FindingMarks", words); };
    auto marks = std::make_shared<FindingMarks>();
    marks->rank = rank;
    marks->color = text(finding.color.empty() ? std::string("text.secondary") : finding.color);
    Duration total{};
    for (const Evidence& it : finding.evidence) {
        marks->ranges.push_back(it.range);
        if (it.row.isValid())
            marks->rows.insert(it.row);
        total = sumOf(total, it.range.duration());
    }
    for (const TrackRef row : finding.rows)
        if (row.isValid())
            marks->rows.insert(row);
    const auto count = qint64(finding.evidence.size());
    marks->text = tr("Finding %1").arg(rank);
    if (count == 0)
        return marks;
    const QString mean = durationText(total / count);
    const bool areAll = std::uint64_t(count) == finding.occurrences;
    marks->text += QStringLiteral(": ")
        + (areAll ? tr("%1 \u00d7, %2 on average").arg(count).arg(mean)
                  : tr("%1 \u00d7, the %2 longest %3 on average").arg(countText(qint64(finding.occurrences))).arg(count).arg(mean));
    return marks;
}

} // namespace helio
