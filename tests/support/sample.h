#pragma once

#include "core/experiment/experiment.h"

#include <QTemporaryDir>

namespace helio::test {

/// Opens and indexes a trace of the source tree. Returns nullptr if the trace is absent.
inline std::shared_ptr<const Timeline> timelineOf(const char* trace)
{
    static QTemporaryDir cache;
    ExperimentOptions options;
    options.storeDirectory = cache.path().toStdString();
    auto opened = Experiment::open({std::filesystem::path(SOURCE_DIR) / trace}, options);
    if (!opened)
        return nullptr;
    (*opened)->start();
    if (!(*opened)->wait())
        return nullptr;
    return (*opened)->timeline();
}

inline std::shared_ptr<const Timeline> sampleTimeline() { return timelineOf("resources/samples/workers"); }

} // namespace helio::test
