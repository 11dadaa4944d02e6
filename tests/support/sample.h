#pragma once

#include "core/experiment/experiment.h"

#include <QTemporaryDir>

namespace helio::test {

/// The sample trace of the source tree, indexed. Null where it is absent.
inline std::shared_ptr<const Timeline> sampleTimeline()
{
    static QTemporaryDir cache;
    ExperimentOptions options;
    options.storeDirectory = cache.path().toStdString();
    auto opened = Experiment::open({SOURCE_DIR "/resources/samples/workers"}, options);
    if (!opened)
        return nullptr;
    (*opened)->start();
    if (!(*opened)->wait())
        return nullptr;
    return (*opened)->timeline();
}

} // namespace helio::test
