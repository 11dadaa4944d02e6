#pragma once

#include "core/experiment/experiment.h"

#include <cstdlib>
#include <memory>
#include <string>

namespace helio::test {

/// The fixture of two hosts: web, and db, whose clock is TwoHostsLag behind by their probes, right within TwoHostsBound.
constexpr Duration TwoHostsLag{5'217'910'000};
constexpr Duration TwoHostsBound{500'000};

inline std::string twoHostsPath(const char* host) { return std::string(SOURCE_DIR "/tests/fixtures/two-hosts-small/") + host; }

/// Opened and indexed, web first.
inline std::unique_ptr<Experiment> openedTwoHosts(const std::string& stores, ClockSettings clocks = {})
{
    ExperimentOptions options;
    options.storeDirectory = stores;
    options.clocks = std::move(clocks);
    auto experiment = Experiment::open({twoHostsPath("web"), twoHostsPath("db")}, options);
    if (!experiment)
        std::abort();
    (*experiment)->start();
    if (!(*experiment)->wait())
        std::abort();
    return std::move(*experiment);
}

} // namespace helio::test
