#include "widgets/timeline/panels/guest_menu.h"

#include "core/query/rows/facts.h"
#include "core/query/rows/timeline_access.h"
#include "core/virtualization/bindings.h"
#include "core/virtualization/cpu_occupants.h"
#include "widgets/time/qt_text.h"
#include "widgets/workspace/view_context.h"

#include <QActionGroup>
#include <QCoreApplication>
#include <QMenu>

#include <algorithm>
#include <functional>
#include <numeric>

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

QString tr(const char* text) { return QCoreApplication::translate("GuestMenu", text); }

void decide(ViewContext& context, const Timeline& timeline, std::uint32_t guest, ClockSettings choice)
{
    context.clocks().set(std::move(choice), tr("guest assignment of %1").arg(text(hostName(timeline, guest))));
}

/// Actions in the menu of one host. Keeps the timeline for which they were made, because another timeline may have other virtual machines.
class GuestMenu {
public:
    GuestMenu(ViewContext& context, const std::vector<GuestChoice>& all, std::uint32_t guest)
        : m_context(context)
        , m_timeline(context.timeline())
        , m_all(all)
        , m_guest(guest)
    {
    }

    bool isEmpty() const
    {
        return std::ranges::none_of(m_all, [this](const GuestChoice& it) { return isElsewhere(it); });
    }

    void fill(QMenu& menu) const
    {
        addMachines(menu);
        for (const GuestChoice& it : m_all)
            if (isElsewhere(it) && isGuestOf(it))
                addCpus(menu, it);
    }

private:
    using Change = std::function<ClockSettings(const Timeline&, ClockSettings)>;

    bool isElsewhere(const GuestChoice& it) const { return it.host != m_guest; }
    bool isGuestOf(const GuestChoice& it) const
    {
        return it.machine.guestTrace != NoTraceIndex && m_timeline->traces[it.machine.guestTrace].host == m_guest;
    }

    void addMachines(QMenu& menu) const
    {
        const GuestOverride* given = givenGuest(*m_timeline, m_context.clocks().choice(), m_guest);
        auto* group = new QActionGroup(&menu);
        add(menu, *group, tr("As detected"), !given, [guest = m_guest](const Timeline& timeline, ClockSettings choice) {
            return withoutGuestOverride(timeline, std::move(choice), guest);
        });
        for (const GuestChoice& it : m_all)
            if (isElsewhere(it))
                add(menu, *group, nameOf(it), given && isGuestOf(it),
                    [guest = m_guest, machine = it.machine](const Timeline& timeline, ClockSettings choice) {
                        return withGuest(timeline, std::move(choice), guest, machine);
                    });
        add(menu, *group, tr("No virtual machine here"), given && given->host.empty(),
            [guest = m_guest](const Timeline& timeline, ClockSettings choice) {
                return withoutVirtualMachine(timeline, std::move(choice), guest);
            });
    }

    QString nameOf(const GuestChoice& it) const
    {
        const QString name = tr("%1 on %2").arg(text(it.process), text(hostName(*m_timeline, it.host)));
        return isGuestOf(it) ? tr("%1 (now)").arg(name) : name;
    }

    void addCpus(QMenu& menu, const GuestChoice& choice) const
    {
        menu.addSeparator();
        std::vector<std::size_t> order(choice.machine.vcpus.size());
        std::iota(order.begin(), order.end(), std::size_t(0));
        std::ranges::sort(order, {}, [&](std::size_t i) { return choice.machine.vcpus[i].hostTid; });
        for (const std::int32_t cpu : choice.cpus) {
            QMenu& threads = *menu.addMenu(tr("CPU %1 runs in thread").arg(cpu));
            auto* group = new QActionGroup(&threads);
            for (const std::size_t i : order) {
                const VcpuBinding& it = choice.machine.vcpus[i];
                add(threads, *group, text(choice.threads[i]), it.vcpu == cpu,
                    [guest = m_guest, machine = choice.machine, cpu, tid = it.hostTid](const Timeline& timeline, ClockSettings now) {
                        return withVcpu(timeline, std::move(now), guest, machine, cpu, tid);
                    });
            }
        }
    }

    void add(QMenu& menu, QActionGroup& group, const QString& words, bool isNow, const Change& change) const
    {
        QAction* action = menu.addAction(words, &menu, [&context = m_context, timeline = m_timeline, change, guest = m_guest] {
            decide(context, *timeline, guest, change(*timeline, context.clocks().choice()));
        });
        action->setCheckable(true);
        action->setChecked(isNow);
        group.addAction(action);
    }

    ViewContext& m_context;
    std::shared_ptr<const Timeline> m_timeline;
    const std::vector<GuestChoice>& m_all;
    std::uint32_t m_guest;
};

/// Fills the submenu as soon as the choices are known; until then it is disabled.
void fillOnceKnown(QMenu& of, ViewContext& context, std::uint32_t host)
{
    const GuestChoices::All all = GuestChoices::of(context).ask();
    of.menuAction()->setEnabled(bool(all));
    if (!all || !of.isEmpty() || host >= context.timeline()->hosts.size())
        return;
    const GuestMenu lines(context, *all, host);
    of.menuAction()->setVisible(!lines.isEmpty());
    if (!lines.isEmpty())
        lines.fill(of);
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
        if (m_of != m_context.timeline()) { // The timeline has changed, so the old one is released.
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
            if (m_context.timeline() == timeline) { // Ignores an outdated result, which must not keep its timeline alive.
                m_of = timeline;
                m_all = all;
            }
            emit known();
        };
    });
    return {};
}

void setGuestMachine(ViewContext& context, const Timeline& timeline, std::uint32_t guest, const VirtualMachine& machine)
{
    decide(context, timeline, guest, withGuest(timeline, context.clocks().choice(), guest, machine));
}

void addGuestMenu(QMenu& menu, ViewContext& context, std::uint32_t host)
{
    if (!context.timeline() || context.timeline()->hosts.size() < 2)
        return;
    QMenu& of = *menu.addMenu(tr("Guest of"));
    of.setToolTipsVisible(true);
    QObject::connect(&GuestChoices::of(context), &GuestChoices::known, &of, [&of, &context, host] { fillOnceKnown(of, context, host); });
    fillOnceKnown(of, context, host);
}

} // namespace helio
