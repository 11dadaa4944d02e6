#include "app/gui/analyses/analysis_notice.h"

#include "widgets/controls/notice_bar.h"

#include <QCoreApplication>

#include <algorithm>

namespace helio {

namespace {

QString tr(const char* text) { return QCoreApplication::translate("AnalysisNotice", text); }

} // namespace

const AnalysisProblem* firstError(const std::vector<AnalysisProblem>& problems)
{
    const auto first = std::ranges::find(problems, false, &AnalysisProblem::isWarning);
    return first != problems.end() ? &*first : nullptr;
}

void showNotice(NoticeBar& bar, const std::vector<AnalysisProblem>& problems)
{
    const AnalysisProblem* first = firstError(problems);
    if (!first)
        return bar.setNotice({}, {});
    const auto errors = std::ranges::count(problems, false, &AnalysisProblem::isWarning);
    bar.setNotice(first->text + (errors > 1 ? tr(" (and %1 more)").arg(errors - 1) : QString()),
                  {{"edit", tr("Open in editor")}, {"inspect", tr("Open inspector")}, {"messages", tr("All messages")}});
}

} // namespace helio
