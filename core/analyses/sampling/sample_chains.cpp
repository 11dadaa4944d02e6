#include "core/analyses/sampling/sample_chains.h"

namespace helio::sampling {
namespace {

/// Default maximum length of recorded call chains (kernel.perf_event_max_stack). A chain of this length counts as cut off.
constexpr std::size_t FullCallchain = 127;

/// Returns true if the user-space callers were recorded later, in a separate record.
bool hasDeferredPart(const SampleView& sample)
{
    for (std::size_t i = 0; i < sample.callchain.size(); ++i)
        if (sample.callchain[i] == callchain::UserDeferred)
            return true;
    return false;
}

CodeMode modeAfter(std::uint64_t marker, CodeMode before)
{
    switch (marker) {
    case callchain::Hypervisor: return CodeMode::Hypervisor;
    case callchain::Kernel: return CodeMode::Kernel;
    case callchain::User:
    case callchain::UserDeferred: return CodeMode::User;
    case callchain::Guest:
    case callchain::GuestKernel: return CodeMode::GuestKernel;
    case callchain::GuestUser: return CodeMode::GuestUser;
    default: return before;
    }
}

/// Returns true if the processor's record of calls (LBR) replaces the user part of the call chain.
bool usesCalls(const SampleView& sample)
{
    CodeMode mode = sample.mode;
    for (std::size_t i = 0; i < sample.callchain.size() && !sample.calls.sites.empty(); ++i)
        if (callchain::isMarker(sample.callchain[i]) && (mode = modeAfter(sample.callchain[i], mode)) == CodeMode::User)
            return true;
    return false;
}

} // namespace

bool isCut(const SampleView& sample)
{
    return usesCalls(sample) ? sample.calls.isFull : sample.callchain.size() >= FullCallchain || hasDeferredPart(sample);
}

/// Returns the stack of the recorded call chain, or of the sampled address if there is no chain. In the kernel part of the chain and in its
/// user part, the first address was being executed, and all other addresses are return addresses.
StackId SampleChains::stackOf(const SampleView& sample)
{
    if (sample.stack != 0)
        return recordedStack(sample.stack);
    m_chain.clear();
    CodeMode mode = sample.mode;
    bool isFirst = true;
    for (std::size_t i = 0; i < sample.callchain.size(); ++i) {
        const std::uint64_t word = sample.callchain[i];
        if (callchain::isMarker(word)) {
            const CodeMode next = modeAfter(word, mode);
            isFirst |= next != mode;
            mode = next;
            if (mode == CodeMode::User && !sample.calls.sites.empty()) {
                appendCalls(sample, i + 1);
                break;
            }
            if (word == callchain::UserDeferred)
                ++i; // Skip the word after the marker: a cookie that identifies the user part, which is recorded later.
            continue;
        }
        m_chain.push_back({word, mode, !isFirst});
        isFirst = false;
    }
    if (m_chain.empty() && sample.hasIp)
        m_chain.push_back({sample.ip, sample.mode, false});
    StackId stack = NoStack;
    for (auto it = m_chain.rbegin(); it != m_chain.rend(); ++it) {
        // A return address may be the first address of another mapping. The byte before it is in the call instruction.
        const std::uint64_t shift = it->isReturnAddress && it->address > 0 ? 1 : 0;
        StackFrame frame = frameOf(sample, it->mode, it->address - shift);
        frame.address += shift;
        frame.isReturnAddress = it->isReturnAddress;
        stack = m_sink.stack(stack, frame);
    }
    return stack;
}

/// Appends the user part of a call chain from LBR entries, like perf's resolve_lbr_callchain_sample() in machine.c. Difference: the
/// innermost address is the sampled one (the chain's word at `begin`), not the start of the function that was called last.
void SampleChains::appendCalls(const SampleView& sample, std::size_t begin)
{
    const bool hasInnermost = begin < sample.callchain.size() && !callchain::isMarker(sample.callchain[begin]);
    m_chain.push_back({hasInnermost ? sample.callchain[begin] : sample.calls.callee, CodeMode::User, false});
    for (std::size_t i = 0; i < sample.calls.sites.size(); ++i)
        m_chain.push_back({sample.calls.sites[i], CodeMode::User, false});
}

StackId SampleChains::recordedStack(std::uint32_t index)
{
    const auto frames = m_reader.stacks();
    m_recorded.resize(frames.size(), NoStack);
    m_path.clear();
    for (; index > 0 && index < frames.size() && m_recorded[index] == NoStack; index = frames[index].caller)
        m_path.push_back(index);
    StackId stack = index < frames.size() ? m_recorded[index] : NoStack;
    for (auto it = m_path.rbegin(); it != m_path.rend(); ++it)
        m_recorded[*it] = stack = m_sink.stack(stack, {frames[*it].module, false, frames[*it].address});
    return stack;
}

StackFrame SampleChains::frameOf(const SampleView& sample, CodeMode mode, std::uint64_t address)
{
    const bool isGuest = mode == CodeMode::GuestKernel || mode == CodeMode::GuestUser;
    const bool isKernel = mode == CodeMode::Kernel || mode == CodeMode::Hypervisor || mode == CodeMode::GuestKernel;
    if (!isKernel && sample.pid < 0)
        return {UnknownModule, false, address};
    const std::int32_t pid = isKernel ? AddressSpaces::KernelPid : sample.pid;
    const ModuleAddress place = isGuest ? m_spaces.findInGuest(sample.guest, pid, address) : m_spaces.find(pid, address);
    return {place.module, false, place.address};
}

} // namespace helio::sampling
