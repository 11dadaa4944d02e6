#pragma once

#include "core/experiment/experiment.h"

#include <QTemporaryDir>

#include <filesystem>
#include <memory>
#include <vector>

namespace helio::test {

/// An experiment of several traces, opened and indexed, with its own stores in a temporary folder. Ends the program if the traces cannot
/// be opened or indexed.
class OpenedExperiment {
public:
    explicit OpenedExperiment(const std::vector<std::filesystem::path>& paths)
    {
        ExperimentOptions options;
        options.storeDirectory = m_folder.filePath("stores").toStdString();
        auto opened = Experiment::open(paths, options);
        if (!opened)
            qFatal("%s", opened.error().what.c_str());
        m_experiment = std::move(*opened);
        m_experiment->start();
        if (!m_experiment->wait())
            qFatal("not indexed");
        timeline = m_experiment->timeline();
    }

    std::shared_ptr<const Timeline> timeline;

private:
    QTemporaryDir m_folder;
    std::unique_ptr<Experiment> m_experiment;
};

} // namespace helio::test
