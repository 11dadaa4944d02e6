#pragma once

#include "core/correlation/guests.h"
#include "core/experiment/timeline.h"
#include "core/store/track_ref.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace helio::machines {

constexpr const char* Recording = "recording"; ///< Value of VcpuBinding::method if the host's recording names the thread of the vCPU.

/// A thread of a host that runs a vCPU.
struct VcpuThread {
    TrackRef thread;
    TrackRef modes; ///< Track with the modes of the vCPU; see VcpuBinding::modes.
    std::int32_t tid = -1;
    std::int32_t number = -1; ///< Number of the thread's vCPU; -1 if unknown.
    std::string method; ///< Evidence that the thread runs a vCPU.
    std::optional<std::int32_t> named; ///< vCPU number in the thread's name; nullopt if the name has none.
    /// Number of the guest's CPU that makes the hypercalls which the thread serves; nullopt if unknown.
    std::optional<std::int32_t> called;
    /// Number of the guest CPU that the thread runs, according to RecordingSession::guests of the host's recording; nullopt if not given
    /// there.
    std::optional<std::int32_t> recorded;
};

/// Returns the threads that run vCPUs: threads that enter and exit a guest, have a name such as "CPU 0/KVM", or served hypercalls of a
/// guest.
std::vector<VcpuThread> findVcpuThreads(const Timeline& timeline, std::span<const GuestEvidence> evidence);

/// Gives each vCPU of one virtual machine a unique number. Sources of the number, best first: kvm events, RecordingSession::guests of the
/// host's recording, hypercalls of the guest, the thread's name, the lowest free number. A number that another vCPU already has is not
/// used. If several vCPUs have the same number in kvm events, kvm events are ignored for these vCPUs.
void numberVcpus(std::vector<VcpuThread>& threads);

/// Returns the vCPU number in a thread name such as "CPU 3/KVM"; nullopt for other names.
std::optional<std::int32_t> numberInName(std::string_view name);

/// Returns the process number of a host's thread as GuestOverride stores it; -1 if there is no such thread.
std::int32_t processOfThread(const Timeline& timeline, std::uint32_t trace, std::int32_t tid);

/// True if the kind or the name of the track alone shows that it belongs to a vCPU: a track with the modes of a vCPU, or a thread with a
/// name such as "CPU 3/KVM".
bool isVcpuEvidence(const Track& track);

} // namespace helio::machines
