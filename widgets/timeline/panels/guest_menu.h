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

/// Virtual machine that a host may be the guest of.
struct GuestChoice {
    VirtualMachine machine; ///< Requires: it has a host.
    std::string process; ///< "qemu-171".
    std::uint32_t host = 0; ///< Host that the virtual machine runs on.
    std::vector<std::int32_t> cpus; ///< CPUs of its guest; empty if it has no guest.
    std::vector<std::string> threads; ///< Threads of its vCPUs, in their order: "CPU 0/KVM (192)".
};

/// Virtual machines that the user can choose as the one whose guest a host is. Computed on the first request, and kept as long as the
/// timeline stays the same. There is one object per context.
/// Threads: UI thread; computed on a thread of its own.
/// Ownership: owned by the context.
class GuestChoices : public QObject {
    Q_OBJECT

public:
    static GuestChoices& of(ViewContext& context);

    using All = std::shared_ptr<const std::vector<GuestChoice>>;
    /// Returns the choices for the context's timeline; nullptr if they are not known yet. known() is emitted later if there is a timeline.
    All ask();

signals:
    void known(); ///< Emitted when choices were computed, perhaps for an older timeline: call ask() again.

private:
    explicit GuestChoices(ViewContext& context);

    ViewContext& m_context;
    std::shared_ptr<const Timeline> m_of;
    All m_all;
    std::shared_ptr<const Timeline> m_asked;
    LatestTask m_job;
};

/// Adds submenus to a host's menu in which the user chooses the virtual machine whose guest the host is, and the threads of its vCPUs. Does
/// nothing if there is only one host; the submenu is hidden again if no other host runs virtual machines. Each choice can be undone, by
/// ViewContext::clocks().
/// Cost: little; the choices are computed by GuestChoices and added when they are known.
/// Ownership: the context outlives the menu.
void addGuestMenu(QMenu& menu, ViewContext& context, std::uint32_t host);

/// Makes `guest` the guest of `machine`, like the menu does. Both belong to the timeline.
void setGuestMachine(ViewContext& context, const Timeline& timeline, std::uint32_t guest, const VirtualMachine& machine);

} // namespace helio
