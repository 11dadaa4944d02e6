#include "widgets/docks/details/interrupt_facts.h"

#include "core/query/rows/row_notes.h"
#include "core/query/rows/timeline_access.h"
#include "core/virtualization/interrupts.h"
#include "widgets/time/qt_text.h"
#include "widgets/time/time_format.h"
#include "widgets/timeline/graph/tips/connection_text.h"

#include <QCoreApplication>

#include <algorithm>

namespace helio {

namespace {

constexpr int MostListed = 4;

QString said(const char* source) { return QCoreApplication::translate("DetailsView", source); }

bool isOfVcpu(const Timeline& timeline, const std::vector<VirtualMachine>& all, TrackRef row)
{
    const auto note = noteOf(timeline, row);
    const TrackRef thread = note && note->kind != RowNote::Source::Below ? note->source : row;
    return std::ranges::any_of(all, [&](const VirtualMachine& machine) {
        return std::ranges::any_of(machine.vcpus, [&](const VcpuBinding& it) { return it.thread.isValid() && it.thread == thread; });
    });
}

bool isOf(const Timeline& timeline, const std::vector<VirtualMachine>& all, const GuestInterrupt& it, TrackRef row)
{
    const TrackRef thread = all[it.machine].vcpus[it.vcpu].thread;
    const auto note = noteOf(timeline, row);
    return thread == (note && note->kind != RowNote::Source::Below ? note->source : row);
}

/// Returns how a guest received an interrupt, with the time since KVM injected it: "virtio0-requests (27) after 31 µs ±69 µs" if the
/// guest's handler was recorded, otherwise "in the guest after 12 µs".
QString wayOf(const Timeline& timeline, const GuestInterrupt& it)
{
    const QString length = durationText(it.length());
    return it.handled ? said("%1 after %2 %3").arg(text(it.handler(timeline)), length, errorBoundText(it.handled->error))
                      : said("in the guest after %1").arg(length);
}

void addOfVcpu(const Timeline& timeline, const std::vector<VirtualMachine>& all, StateDetails& details, const std::stop_token& stop)
{
    int count = 0;
    for (const GuestInterrupt& it : findGuestInterrupts(timeline, all, details.range, stop)) {
        if (!isOf(timeline, all, it, details.track) || ++count > MostListed)
            continue;
        const TrackRef row = it.handled ? it.handled->row : TrackRef();
        details.facts.push_back(
            {said("Interrupt %1").arg(text(it.number)), wayOf(timeline, it), row, it.handled ? it.handled->at : Timestamp()});
    }
    if (count > MostListed)
        details.facts.push_back({said("Interrupts"), said("and %1 more").arg(count - MostListed), {}, {}});
}

void addOfHandler(const Timeline& timeline, const std::vector<VirtualMachine>& all, StateDetails& details, const std::stop_token& stop)
{
    for (const GuestInterrupt& it : findGuestInterrupts(timeline, all, details.range, stop))
        if (it.handled && it.handled->row == details.track && it.handled->at == details.range.begin) {
            const QString way =
                said("%1 %2 earlier, as %3").arg(durationText(it.length()), errorBoundText(it.handled->error), text(it.number));
            details.facts.push_back({said("Injected"), way, all[it.machine].vcpus[it.vcpu].thread, it.range.begin});
        }
}

} // namespace

void addInterruptFacts(const Timeline& timeline, StateDetails& details, std::stop_token stop)
{
    if (!hasVirtualMachines(timeline))
        return;
    const bool isHandler = details.row.role == TrackRole::Interrupt;
    const std::vector<VirtualMachine> all = findVirtualMachines(timeline);
    if (isHandler)
        addOfHandler(timeline, all, details, stop);
    else if (isOfVcpu(timeline, all, details.track))
        addOfVcpu(timeline, all, details, stop);
}

} // namespace helio
