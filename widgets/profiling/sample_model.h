#pragma once

#include "core/profiling/samples/call_tree.h"
#include "widgets/async/shared_query.h"
#include "widgets/profiling/collected_samples.h"
#include "widgets/workspace/shown_command.h"
#include "widgets/workspace/view_context.h"

#include <memory>
#include <optional>

namespace helio {

/// Samples that flame graph, functions and source views show. They are selected by the selection (or else the visible range), by the
/// selected row (unless all threads are chosen) and by kind. Collected once for all views, and only while one of the views is visible or a
/// function is marked on the rows.
///
/// Threads: UI thread; collects and names samples on another thread. Samples are published before their names, and names in several steps
/// if they take long.
class SampleModel : public SharedQuery {
    Q_OBJECT

public:
    static SampleModel& of(ViewContext& context); ///< Returns the model of this context; the first call makes it.

    ViewContext& context() const { return m_context; }
    const CollectedSamples& shown() const { return m_shown; }
    /// Kinds of samples in the whole experiment; empty if it has no samples.
    const std::vector<SampleKindFacts>& kinds() const { return m_kinds; }
    std::string kind() const; ///< Name of the shown kind; empty if there is none.
    QString kindTitle() const; ///< Title of the kind, e.g. "Calls, wall time".
    bool isOfCalls() const; ///< True if the shown kind is calls, not samples.
    void setKind(const std::string& name);
    /// The user's choice of what amounts count, or else the usual weight of the kind.
    WeightBy by() const;
    std::optional<WeightBy> chosenBy() const { return m_by; }
    void setBy(std::optional<WeightBy> by); ///< nullopt: the usual weight of the kind.
    bool expandsInlined() const { return m_expandsInlined; } ///< True if inlined functions are frames of their own.
    void setExpandsInlined(bool expands);
    bool isOfAllThreads() const { return m_isOfAllThreads; }
    void setOfAllThreads(bool isOfAll);
    bool hasRow() const { return m_hasRow; } ///< True if a thread, process or CPU is selected, so that setOfAllThreads() has an effect.
    /// Selected row, e.g. "process matinit (2652)", "worker 2653" or "CPU 1"; empty if all samples are shown.
    QString scope() const { return m_scope; }

    /// The command "flame" with options that select the shown samples: event, range, rows, weight.
    ShownCommand sampleCommand() const;

    void stop() { cancel(); } ///< Stops collecting; samples and names known so far stay.

    /// True if the user closed the notice about code without names and stacks that end early, for this recording.
    bool isMissingSymbolsNoticeDismissed() const { return m_isMissingSymbolsNoticeDismissed; }
    void setMissingSymbolsNoticeDismissed();

    /// Function that the user chose in a view; all views highlight it.
    const std::optional<SampledFunction>& function() const { return m_function; }
    void chooseFunction(const SampledFunction& function);
    /// True if the samples of the chosen function are marked on the rows of the time panels.
    bool marksFunction() const { return m_marksFunction; }
    void setMarksFunction(bool marks);
    /// Shows `function` in the Source dock.
    void openSource(const SampledFunction& function);

    /// Brings the flame graph to the front and changes what it shows.
    enum class FlameGraphRequest { Sandwich, HideFunction, HideModule };
    void askFlameGraph(FlameGraphRequest wish, const SampledFunction& function);

    /// True if calls of functions are shown, not samples.
    bool showsCalls() const { return m_shown.profile && m_shown.profile->kind.origin == SampleKind::Origin::Called; }
    /// Asks the window to compare the slow calls of a function with its quick ones. Requires: showsCalls().
    void compareCalls(const SampledFunction& function) { emit callComparisonRequested(SampledFunction(function)); }

signals:
    void shownChanged();
    void choicesChanged(); ///< Kinds, weight or the choice of threads changed.
    void functionChosen();
    void sourceRequested(const helio::SampledFunction& function);
    void callComparisonRequested(const helio::SampledFunction& function);
    void flameRequested(helio::SampleModel::FlameGraphRequest wish, const helio::SampledFunction& function);

private:
    explicit SampleModel(ViewContext& context);
    bool isWatched() const override { return isMarking() || SharedQuery::isWatched(); }
    void takeTimeline();
    void updateRow();
    void ask() override;
    void collect(CollectedSamples shown);
    SampleFilter filter() const;
    void take(CollectedSamples shown);
    const SampleKindFacts* kindFacts() const; ///< Facts of kind(); nullptr if there is none.
    bool isMarking() const; ///< True if a function is to be marked on the rows, whichever view is in front.
    void markFunction();

    ViewContext& m_context;
    CollectedSamples m_shown;
    std::vector<SampleKindFacts> m_kinds;
    std::string m_kind; ///< Name of the chosen kind; empty for the first kind.
    std::optional<WeightBy> m_by;
    bool m_expandsInlined = true;
    bool m_isOfAllThreads = false;
    bool m_hasRow = false;
    bool m_isMissingSymbolsNoticeDismissed = false;
    bool m_marksFunction = true;
    SampleFilter m_rowFilter;
    QString m_rowName;
    QString m_scope;
    std::optional<SampledFunction> m_function;
    LatestTask m_markJob;
};

} // namespace helio
