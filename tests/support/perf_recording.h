#pragma once

#include "core/experiment/experiment.h"
#include "tests/support/real_traces.h"

#include <QTemporaryDir>

namespace helio {

/// One of the recordings of a program alone and four times at once, opened and read whole, with the symbols that were kept beside it.
/// Requires: the collection is there.
class PerfRecording {
public:
    static constexpr const char* Collection = "solo-vs-parallel-perf";

    explicit PerfRecording(const QString& name)
    {
        const QString folder = realTrace(Collection);
        ExperimentOptions options;
        options.storeDirectory = m_stores.path().toStdString();
        options.symbols.directories = {(folder + "/bin").toStdString(), (folder + "/libs").toStdString()};
        options.symbols.kallsyms = (folder + "/text/kallsyms.txt").toStdString();
        auto opened = Experiment::open({(folder + "/data/" + name + ".data").toStdString()}, options);
        if (!opened)
            qFatal("%s", opened.error().what.c_str());
        m_experiment = std::move(*opened);
        m_experiment->start();
        if (const auto done = m_experiment->wait(); !done)
            qFatal("%s", done.error().what.c_str());
        timeline = m_experiment->timeline();
    }

    std::shared_ptr<const Timeline> timeline;

private:
    QTemporaryDir m_stores;
    std::unique_ptr<Experiment> m_experiment;
};

} // namespace helio
