#pragma once

#include "core/experiment/experiment.h"
#include "tests/support/real_traces.h"

#include <QTemporaryDir>

#include <memory>

namespace helio::test {

/// Opens a recording of "ust-callstack" with the symbols of the recorded programs; its stores are written to `stores`.
inline std::shared_ptr<const Timeline> openedCalls(const QString& trace, const QTemporaryDir& stores)
{
    ExperimentOptions options;
    options.storeDirectory = stores.path().toStdString();
    options.symbols.directories = {realTrace("ust-callstack", "bin").toStdString()};
    auto experiment = Experiment::open({trace.toStdString()}, options);
    if (!experiment)
        qFatal("%s", experiment.error().what.c_str());
    (*experiment)->start();
    if (!(*experiment)->wait())
        qFatal("not read");
    return (*experiment)->timeline();
}

} // namespace helio::test
