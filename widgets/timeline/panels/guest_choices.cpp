#include "widgets/timeline/panels/guest_choices.h"

#include "core/query/rows/timeline_access.h"
#include "core/virtualization/cpu_occupants.h"
#include "widgets/workspace/view_context.h"

namespace helio {

namespace {

GuestChoice choiceOf(const Timeline& timeline, const VirtualMachine& machine)
{
    GuestChoice choice{machine, processName(timeline, machine), timeline.traces[machine.hostTrace].host, {}, {}};
    if (machine.guestTrace != NoTraceIndex)
        choice.cpus = guestCpus(timeline, machine);
    for (const VcpuBinding& it : machine.vcpus)
        choice.threads.push_back(threadText(*trackOf(timeline, it.thread)));
    return choice;
}

GuestChoices::All choicesOf(const Timeline& timeline)
{
    auto all = std::make_shared<std::vector<GuestChoice>>();
    for (const VirtualMachine& it : findVirtualMachines(timeline))
        if (it.hostTrace != NoTraceIndex)
            all->push_back(choiceOf(timeline, it));
    return all;
}

} // namespace

GuestChoices& GuestChoices::of(ViewContext& context)
{
    auto* made = context.findChild<GuestChoices*>(QString(), Qt::FindDirectChildrenOnly);
    return made ? *made : *new GuestChoices(context);
}

GuestChoices::GuestChoices(ViewContext& context)
    : QObject(&context)
    , m_context(context)
{
    connect(&context, &ViewContext::timelineChanged, this, [this] {
        if (m_of != m_context.timeline()) { // Releases the old timeline.
            m_of.reset();
            m_all.reset();
        }
    });
}

GuestChoices::All GuestChoices::ask()
{
    const auto timeline = m_context.timeline();
    if (!timeline)
        return {};
    if (m_of == timeline)
        return m_all;
    if (m_job.isBusy() && m_asked == timeline)
        return {};
    m_asked = timeline;
    m_job.post([this, timeline](std::stop_token) -> LatestTask::Delivery {
        return [this, timeline, all = choicesOf(*timeline)] {
            m_asked.reset();
            if (m_context.timeline() == timeline) { // An outdated result must not keep its timeline alive.
                m_of = timeline;
                m_all = all;
            }
            emit known();
        };
    });
    return {};
}

} // namespace helio
