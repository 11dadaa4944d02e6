#pragma once

#include "core/experiment/experiment.h"

#include <cstdlib>
#include <memory>
#include <string>

namespace helio::test {

/// Facts of the fixture with two hosts, web and db: according to its probes, db's clock is TwoHostsLag behind web's, with the error bound
/// TwoHostsBound.
constexpr Duration TwoHostsLag{5'217'910'000};
constexpr Duration TwoHostsBound{500'000};

inline std::string twoHostsPath(const char* host) { return std::string(SOURCE_DIR "/tests/fixtures/two-hosts-small/") + host; }

/// Opens and indexes the fixture; web is the first trace.
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
