#include "app/gui/common/remote_notice.h"

#include "core/trace/packed/index_only_trace.h"
#include "widgets/workspace/view_context.h"

#include <QStringList>

#include <algorithm>
#include <chrono>
#include <utility>

namespace helio {

namespace {

constexpr auto Pause = std::chrono::seconds(1); ///< Time between two looks at the connections.

const PartialFolder* restOf(const TimelineTrace& it)
{
    const auto* const trace = dynamic_cast<const IndexOnlyTrace*>(it.trace.get());
    return trace ? trace->rest() : nullptr;
}

bool hasRemoteTraces(const Timeline* timeline) { return timeline && std::ranges::any_of(timeline->traces, restOf); }

} // namespace

RemoteNotice::RemoteNotice(ViewContext& context, QWidget* parent)
    : NoticeBar(parent)
    , m_context(context)
    , m_missed(PartialFile::missedCount())
{
    setCloseTip(tr("Dismiss"));
    m_timer.setInterval(Pause);
    connect(&m_timer, &QTimer::timeout, this, &RemoteNotice::look);
    connect(&context, &ViewContext::timelineChanged, this, [this] {
        if (hasRemoteTraces(m_context.timeline().get()) != m_timer.isActive())
            m_timer.isActive() ? m_timer.stop() : m_timer.start();
        look();
    });
}

QString RemoteNotice::problemOf(const Timeline& timeline)
{
    QStringList problems;
    for (const TimelineTrace& it : timeline.traces)
        if (const PartialFolder* const rest = restOf(it); rest && !rest->problem().empty())
            problems << QString::fromStdString(rest->problem());
    problems.removeDuplicates();
    return problems.join(QStringLiteral("; "));
}

void RemoteNotice::look()
{
    const auto timeline = m_context.timeline();
    const QString problem = timeline ? problemOf(*timeline) : QString();
    setNotice(problem.isEmpty() ? QString() : tr("%1. What was not transferred yet is missing.").arg(problem), {});
    const std::uint64_t missed = PartialFile::missedCount();
    if (problem.isEmpty() && std::exchange(m_missed, missed) != missed && timeline)
        m_context.queryAgain();
}

} // namespace helio
