#pragma once

#include "core/experiment/experiment.h"

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace helio {

/// Experiments that are open between commands, which commands use instead of opening their traces: those of one set of traces, one for
/// each set of analyses that commands requested, or a timeline that the program shows.
///
/// All commands must read the traces with the same options; only the analyses may differ.
/// Threads: to be used by one thread.
/// Memory: keeps the experiment that was opened first, and the last few others.
class KeptExperiments {
public:
    /// Lets openExperiment() on this thread use and extend `kept` while the object exists. Must not be nested.
    class Use {
    public:
        explicit Use(KeptExperiments& kept);
        ~Use();
        Use(const Use&) = delete;
        Use& operator=(const Use&) = delete;
    };

    /// Returns the experiments in use on this thread; nullptr if there are none.
    static KeptExperiments* inUse();

    /// Makes commands use a timeline, whatever traces they name, and keep no experiments. `isSynchronized`: true if the clocks of its hosts
    /// were aligned; commands that want otherwise open their traces.
    void setTimeline(std::shared_ptr<const Timeline> timeline, bool isSynchronized);
    const std::shared_ptr<const Timeline>& timeline() const { return m_timeline; } ///< nullptr if setTimeline() was not called.
    bool isSynchronized() const { return m_isSynchronized; }

    /// Returns the experiment of these traces with the analyses in `how`, or any experiment of these traces if `how` needs no states;
    /// nullptr if there is none.
    std::shared_ptr<Experiment> find(const std::vector<std::filesystem::path>& traces, const ExperimentOptions& how) const;
    void keep(const std::vector<std::filesystem::path>& traces, const ExperimentOptions& how, std::shared_ptr<Experiment> experiment);

private:
    struct Opening {
        std::vector<std::filesystem::path> traces;
        std::vector<std::string> analyses; ///< Ids of the analyses and correlators; empty if the experiment has no states.
        std::shared_ptr<Experiment> experiment;
    };

    std::shared_ptr<const Timeline> m_timeline;
    bool m_isSynchronized = true;
    std::vector<Opening> m_all; ///< The experiment that was opened first, then the others in the order of their opening.
};

} // namespace helio
