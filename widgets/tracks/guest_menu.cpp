#include "widgets/tracks/guest_menu.h"

#include "core/query/machines/guest_changes.h"
#include "core/query/machines/takers.h"
#include "core/query/rows/composed.h"
#include "core/query/rows/facts.h"
#include "widgets/time/qt_text.h"
#include "widgets/view/view_context.h"

#include <QActionGroup>
#include <QCoreApplication>
#include <QMenu>

#include <algorithm>
#include <functional>

namespace helio {

namespace {

QString tr(const char* text) { return QCoreApplication::translate("GuestMenu", text); }

/// The lines of one host's menu. The timeline is the one that they were made of: another one's machines may be others.
class GuestMenu {
public:
    GuestMenu(ViewContext& context, std::uint32_t guest)
        : m_context(context)
        , m_timeline(context.timeline())
        , m_machines(machinesOf(*m_timeline))
        , m_guest(guest)
    {
    }

    void addTo(QMenu& menu) const
    {
        if (std::ranges::none_of(m_machines, [&](const Machine& it) { return isElsewhere(it); }))
            return;
        QMenu& of = *menu.addMenu(tr("Guest of"));
        of.setToolTipsVisible(true);
        addMachines(of);
        for (const Machine& it : m_machines)
            if (isElsewhere(it) && isGuestOf(it))
                addCpus(of, it);
    }

private:
    using Change = std::function<ClockChoice(const Timeline&, ClockChoice)>;

    std::uint32_t hostOf(std::uint32_t trace) const { return m_timeline->traces[trace].host; }
    bool isElsewhere(const Machine& it) const { return it.hostTrace != NoTraceHere && hostOf(it.hostTrace) != m_guest; }
    bool isGuestOf(const Machine& it) const { return it.guestTrace != NoTraceHere && hostOf(it.guestTrace) == m_guest; }

    void addMachines(QMenu& menu) const
    {
        const GivenGuest* given = givenGuest(*m_timeline, m_context.clocks().choice(), m_guest);
        auto* group = new QActionGroup(&menu);
        add(menu, *group, tr("As found"), !given,
            [guest = m_guest](const Timeline& timeline, ClockChoice choice) { return asGuestFound(timeline, std::move(choice), guest); });
        for (const Machine& it : m_machines)
            if (isElsewhere(it))
                add(menu, *group, nameOf(it), given && isGuestOf(it), [guest = m_guest, it](const Timeline& timeline, ClockChoice choice) {
                    return withGuest(timeline, std::move(choice), guest, it);
                });
        add(menu, *group, tr("No machine here"), given && given->host.empty(),
            [guest = m_guest](const Timeline& timeline, ClockChoice choice) { return withoutMachine(timeline, std::move(choice), guest); });
    }

    QString nameOf(const Machine& it) const
    {
        const QString name = tr("%1 on %2").arg(text(processName(*m_timeline, it)), text(hostName(*m_timeline, hostOf(it.hostTrace))));
        return isGuestOf(it) ? tr("%1 (now)").arg(name) : name;
    }

    void addCpus(QMenu& menu, const Machine& machine) const
    {
        menu.addSeparator();
        std::vector<VcpuBinding> all = machine.vcpus;
        std::ranges::sort(all, {}, &VcpuBinding::hostTid);
        for (const std::int32_t cpu : guestCpus(*m_timeline, machine)) {
            QMenu& threads = *menu.addMenu(tr("CPU %1 runs in").arg(cpu));
            auto* group = new QActionGroup(&threads);
            for (const VcpuBinding& it : all)
                add(threads, *group, text(threadText(*trackOf(*m_timeline, it.thread))), it.vcpu == cpu,
                    [guest = m_guest, machine, cpu, tid = it.hostTid](const Timeline& timeline, ClockChoice choice) {
                        return withVcpu(timeline, std::move(choice), guest, machine, cpu, tid);
                    });
        }
    }

    void add(QMenu& menu, QActionGroup& group, const QString& words, bool isNow, const Change& change) const
    {
        QAction* action = menu.addAction(words, &menu, [&context = m_context, timeline = m_timeline, change, guest = m_guest] {
            const QString what = tr("whose guest %1 is").arg(text(hostName(*timeline, guest)));
            context.clocks().set(change(*timeline, context.clocks().choice()), what);
        });
        action->setCheckable(true);
        action->setChecked(isNow);
        group.addAction(action);
    }

    ViewContext& m_context;
    std::shared_ptr<const Timeline> m_timeline;
    const std::vector<Machine> m_machines;
    std::uint32_t m_guest;
};

} // namespace

void addGuestMenu(QMenu& menu, ViewContext& context, std::uint32_t host)
{
    if (context.timeline())
        GuestMenu(context, host).addTo(menu);
}

} // namespace helio
