#pragma once

#include "core/profiling/samples/call_tree.h"
#include "widgets/async/watched_work.h"
#include "widgets/profiling/shown_samples.h"
#include "widgets/workspace/shown_command.h"
#include "widgets/workspace/view_context.h"

#include <memory>
#include <optional>

namespace helio {

/// The samples that flame graph, functions and source speak of: those of the selected range (else of the visible window), of the selected
/// row (unless all threads are asked for) and of one kind. Collected once for all views, and only while one of them is
/// visible or a function is marked on the rows.
///
/// UI thread; collects and names on a thread of its own. Names come later than the samples, in several steps where they take long.
class SampleModel : public WatchedWork {
    Q_OBJECT

public:
    static SampleModel& of(ViewContext& context); ///< The one of this context; made when it is first asked for.

    ViewContext& context() const { return m_context; }
    const ShownSamples& shown() const { return m_shown; }
    const std::vector<SampleKindFacts>& kinds() const { return m_kinds; } ///< Of the whole experiment. Empty: no samples at all.
    std::string kind() const; ///< The name of the one shown. Empty: there is none.
    QString kindTitle() const; ///< As it is shown: "Calls, wall time".
    bool isOfCalls() const; ///< What is shown are calls, not samples.
    void setKind(const std::string& name);
    /// What amounts count: what was chosen; else the kind's usual weight.
    WeightBy by() const;
    std::optional<WeightBy> chosenBy() const { return m_by; }
    void setBy(std::optional<WeightBy> by); ///< None: nothing is chosen.
    bool expandsInlined() const { return m_expandsInlined; } ///< Functions that were inlined are frames of their own.
    void setExpandsInlined(bool expands);
    bool isOfAllThreads() const { return m_isOfAllThreads; }
    void setOfAllThreads(bool isOfAll);
    bool hasRow() const { return m_hasRow; } ///< A thread, process or CPU is selected: setOfAllThreads() makes a difference.
    QString scope() const { return m_scope; } ///< Of what: "process matinit (2652)", "worker 2653", "CPU 1". Empty: of everything.

    /// "flame" with the options that choose the shown samples: event, range, rows, weight.
    ShownCommand sampleCommand() const;

    void stop() { cancel(); } ///< What is known stays.

    /// The person closed the notice of code without names and of stacks that end early, for this recording.
    bool isMissingSymbolsNoticeDismissed() const { return m_isMissingSymbolsNoticeDismissed; }
    void setMissingSymbolsNoticeDismissed();

    /// The function that the views speak of.
    const std::optional<SampledFunction>& function() const { return m_function; }
    void chooseFunction(const SampledFunction& function);
    /// Its shown samples are marked on the rows of the time panels.
    bool marksFunction() const { return m_marksFunction; }
    void setMarksFunction(bool marks);
    /// Shows it in the Source dock.
    void openSource(const SampledFunction& function);

    /// Has the flame graph show it otherwise, in front.
    enum class FlameWish { Sandwich, HideFunction, HideModule };
    void askFlameGraph(FlameWish wish, const SampledFunction& function);

    /// What is shown is calls of functions, not samples.
    bool showsCalls() const { return m_shown.profile && m_shown.profile->kind.origin == SampleKind::Origin::Called; }
    /// Has the window compare the slow calls of a function with its quick ones. Requires: showsCalls().
    void compareCalls(const SampledFunction& function) { emit callComparisonRequested(SampledFunction(function)); }

signals:
    void shownChanged();
    void choicesChanged(); ///< Kinds, what amounts count, threads.
    void functionChosen();
    void sourceRequested(const helio::SampledFunction& function);
    void callComparisonRequested(const helio::SampledFunction& function);
    void flameRequested(helio::SampleModel::FlameWish wish, const helio::SampledFunction& function);

private:
    explicit SampleModel(ViewContext& context);
    bool isWatched() const override { return isMarking() || WatchedWork::isWatched(); }
    void takeTimeline();
    void updateRow();
    void ask() override;
    void collect(ShownSamples shown);
    SampleFilter filter() const;
    void take(ShownSamples shown);
    const SampleKindFacts* kindFacts() const; ///< Of kind(). Null: there is none.
    bool isMarking() const; ///< A function, on the rows: its marks are to be of what is shown now, whichever view is in front.
    void markFunction();

    ViewContext& m_context;
    ShownSamples m_shown;
    std::vector<SampleKindFacts> m_kinds;
    std::string m_kind; ///< Asked for; empty: the first.
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
    LatestJob m_markJob;
};

} // namespace helio
