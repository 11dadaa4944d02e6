#pragma once

#include "core/virtualization/bindings.h"
#include "widgets/async/latest_task.h"

#include <QObject>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

class QMenu;

namespace helio {

struct Timeline;
class ViewContext;
struct VirtualMachine;

/// Virtual machine that runs on a host. The user can choose it for a guest: the guest's trace was recorded in it, and belongs to a host of
/// its own.
struct GuestChoice {
    VirtualMachine machine; ///< The virtual machine. Requires: its host is known.
    std::string process; ///< Process of the virtual machine on its host: "qemu-171".
    std::uint32_t host = 0; ///< Host that the virtual machine runs on.
    std::vector<std::int32_t> cpus; ///< CPU numbers of the guest; empty if the guest is unknown.
    std::vector<std::string> threads; ///< Names of the vCPU threads, in the order of the vCPUs: "CPU 0/KVM (192)".
};

/// Virtual machines that the user can choose for a guest. Computed on the first request, and cached until the timeline changes. Each
/// ViewContext has one object.
/// Threads: UI thread; computed on a thread of its own.
/// Ownership: owned by the ViewContext.
class GuestChoices : public QObject {
    Q_OBJECT

public:
    static GuestChoices& of(ViewContext& context);

    using All = std::shared_ptr<const std::vector<GuestChoice>>;
    /// Returns the choices for the context's timeline; nullptr if they are not computed yet. In this case known() is emitted later, if
    /// there is a timeline.
    All ask();

signals:
    void known(); ///< Emitted when choices were computed, possibly for an older timeline: the receiver calls ask() again.

private:
    explicit GuestChoices(ViewContext& context);

    ViewContext& m_context;
    std::shared_ptr<const Timeline> m_of;
    All m_all;
    std::shared_ptr<const Timeline> m_asked;
    LatestTask m_job;
};

/// Adds submenus to a host's menu in which the user chooses the virtual machine that the host runs in, and the threads of its vCPUs. Does
/// nothing if there is only one host; the submenu is hidden again if no other host runs virtual machines. Each choice can be undone, by
/// ViewContext::clocks().
/// Cost: little; GuestChoices computes the choices, which are added later.
/// Ownership: the context outlives the menu.
void addGuestMenu(QMenu& menu, ViewContext& context, std::uint32_t host);

/// Sets `guest` as the guest of `machine`, like a choice in the menu. Both must belong to `timeline`.
void setGuestMachine(ViewContext& context, const Timeline& timeline, std::uint32_t guest, const VirtualMachine& machine);

} // namespace helio
