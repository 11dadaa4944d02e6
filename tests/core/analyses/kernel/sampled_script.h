#pragma once

#include "core/trace/process/sample_view.h"
#include "tests/core/analyses/kernel/kernel_script.h"

#include <concepts>
#include <initializer_list>
#include <string>
#include <vector>

namespace helio::test {

/// A script that counts as sampled: of some event types, only some events were recorded, like with `perf record -F`.
template <std::derived_from<KernelScript> Script> class Sampled : public Script, public SampleReader {
public:
    /// `sampled`: indexes of the sampled event types of `script`, in the order of their first events.
    Sampled(Script script, std::initializer_list<int> sampled)
        : Script(std::move(script))
    {
        for (const int type : sampled)
            m_sampled.push_back({.type = EventTypeId(std::uint32_t(type)), .name = "", .isSampled = true});
    }
    const SampleReader* samples() const override { return this; }
    std::span<const SampleEvent> events() const override { return m_sampled; }
    const std::string& machine() const override { return m_machine; }
    bool read(const EventView&, SampleView&) const override { return false; }

private:
    std::vector<SampleEvent> m_sampled;
    std::string m_machine;
};

} // namespace helio::test
