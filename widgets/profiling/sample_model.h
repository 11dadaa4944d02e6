#pragma once

#include "core/profiling/samples/call_tree.h"
#include "widgets/async/shared_query.h"
#include "widgets/profiling/collected_samples.h"
#include "widgets/workspace/shown_command.h"
#include "widgets/workspace/view_context.h"

#include <memory>
#include <optional>

namespace helio {

/// Samples that flame graph, functions and source views share. They are selected by time (the selection, otherwise the visible range), by
/// the selected row (unless all threads are chosen) and by kind. They are collected once for all views, and only while a view is visible or
/// a function is marked on the rows.
///
/// Threads: UI thread; collects and names samples on another thread. Samples are published before their names; if naming takes long, names
/// are published several times.
class SampleModel : public SharedQuery {
    Q_OBJECT

public:
    static SampleModel& of(ViewContext& context); ///< Returns the model of a context; created by the first call.

    ViewContext& context() const { return m_context; }
    const CollectedSamples& shown() const { return m_shown; }
    /// Kinds of samples in the whole experiment; empty if there are none.
    const std::vector<SampleKindFacts>& kinds() const { return m_kinds; }
    std::string kind() const; ///< Name of the shown kind of samples; empty if there are no samples.
    QString kindTitle() const; ///< Title of the shown kind, e.g. "Calls, wall time".
    bool isOfCalls() const; ///< True if the shown kind is calls instead of samples.
    void setKind(const std::string& name);
    /// Returns whether samples are counted by number or by weight: the user's choice, otherwise the default of the shown kind.
    WeightBy by() const;
    std::optional<WeightBy> chosenBy() const { return m_by; }
    void setBy(std::optional<WeightBy> by); ///< Sets how samples are counted; nullopt for the default of the shown kind.
    bool expandsInlined() const { return m_expandsInlined; } ///< True if inlined functions are shown as frames of their own.
    void setExpandsInlined(bool expands);
    bool isOfAllThreads() const { return m_isOfAllThreads; }
    void setOfAllThreads(bool isOfAll);
    bool hasRow() const { return m_hasRow; } ///< True if a thread, process or CPU is selected, so that setOfAllThreads() has an effect.
    /// Name of the selected row, e.g. "process matinit (2652)", "worker 2653" or "CPU 1"; empty if all samples are shown.
    QString scope() const { return m_scope; }

    /// Returns the command "flame" with options for the shown samples: event, range, rows, weight.
    ShownCommand sampleCommand() const;

    void stop() { cancel(); } ///< Stops collecting; the samples and names so far are kept.

    /// True if the user closed the notice about missing names and truncated stacks, for this recording.
    bool isMissingSymbolsNoticeDismissed() const { return m_isMissingSymbolsNoticeDismissed; }
    void setMissingSymbolsNoticeDismissed();

    /// Function that the user selected in a view; all views highlight it.
    const std::optional<SampledFunction>& function() const { return m_function; }
    void chooseFunction(const SampledFunction& function);
    /// True if the samples of the selected function are marked on the rows of the time panels.
    bool marksFunction() const { return m_marksFunction; }
    void setMarksFunction(bool marks);
    /// Shows `function` in the Source dock.
    void openSource(const SampledFunction& function);

    /// Requests to show the flame graph and to apply a change to it.
    enum class FlameGraphRequest { Find, Sandwich, HideFunction, HideModule };
    void askFlameGraph(FlameGraphRequest wish, const SampledFunction& function);

    /// Selects `function` in the Functions dock, which shows its callers.
    void showCallers(const SampledFunction& function);

    /// True if the shown amounts are calls of functions instead of samples.
    bool showsCalls() const { return m_shown.profile && m_shown.profile->kind.origin == SampleKind::Origin::Called; }
    /// Requests a comparison of the slow calls of a function with its quick calls. Requires: showsCalls().
    void compareCalls(const SampledFunction& function) { emit callComparisonRequested(SampledFunction(function)); }

signals:
    void shownChanged();
    void choicesChanged(); ///< Emitted when the kinds, the way of counting or the choice of threads changed.
    void functionChosen();
    void callersRequested();
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
    const SampleKindFacts* kindFacts() const; ///< Facts about the shown kind; nullptr if there are no samples.
    bool isMarking() const; ///< True if the samples of a function must be collected for marks on the rows, even if no view is visible.
    void markFunction();

    ViewContext& m_context;
    CollectedSamples m_shown;
    std::vector<SampleKindFacts> m_kinds;
    std::string m_kind; ///< Name of the kind that the user chose; empty for the first kind.
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
