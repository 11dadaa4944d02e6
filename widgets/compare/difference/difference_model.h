#pragma once

#include "core/compare/difference_basis.h"
#include "core/compare/off_cpu_frames.h"
#include "widgets/async/watched_work.h"
#include "widgets/compare/compare_context.h"

#include <array>
#include <memory>
#include <optional>
#include <vector>

namespace helio {

/// What of both sides is compared, and how amounts are made comparable.
struct DifferenceChoices {
    using Per = DifferenceBasis::Per;
    DifferenceBasis basis;
    bool isOfAll = false; ///< All samples, not those of what is compared alone.
    bool isInverted = false; ///< From the sampled functions to their callers.
    std::string kind; ///< Of samples, by name; empty: the first that both sides have.
    bool operator==(const DifferenceChoices&) const = default;
};

/// The samples of one side with their names.
struct ComparedSide {
    std::shared_ptr<const Timeline> timeline;
    std::shared_ptr<const StackProfile> profile;
    std::shared_ptr<const StackNames> names;
    std::vector<OffCpuFrames> offCpu; ///< Wall time that is not in the samples of the compared runs. Empty for several threads.
    SampleKind kind;
    bool isWithoutInlined = false; ///< Inlined functions are left out, because the other side names none.
    std::uint32_t runs = 0; ///< Of the program; of a thread or of all samples: 1.
    bool isThread = false; ///< One thread, not a program's runs.
    bool hasSeveralThreads = false; ///< The samples of time are CPU time of several threads on either side, no part of the wall time.
    QString name; ///< Of what: "solver", "solver 8812". Empty: of all.
};

/// Both sides as one. A value; a new one comes with other samples or choices.
struct ShownDifference {
    std::array<ComparedSide, 2> sides;
    DifferenceChoices choices;
    std::shared_ptr<const DifferenceTree> tree; ///< Top-down. Null: nothing to show.
    std::shared_ptr<const DifferenceTree> graph; ///< As choices.isInverted says.
    std::shared_ptr<const std::vector<FunctionDifference>> functions;
    DifferenceUnit unit;
    /// The function of the program itself with the most time in B, callees included, that spends a part of it itself: whose source to look
    /// at first. Null: there is none.
    const SampledFunction* busiestOwn() const;
    QString name() const; ///< Of what: "solver"; "worker 12 and worker 15" of two threads.
    /// Amounts are CPU time of all threads of one run, and no wall time.
    bool isOfThreadsTime() const
    {
        return !choices.isOfAll && sides[0].hasSeveralThreads && choices.basis.isOfWallTime(sides[0].kind, sides[1].kind);
    }

    QString missing; ///< Why there is nothing to show, and what to do. Empty: there is.
    QString advice;
    bool canCompareAll = false; ///< There are samples, but none of what is compared.
};

/// Frees what nothing else has of it, on another thread.
void discardDifference(ShownDifference difference);

/// Collects, names and compares the samples of both sides of a comparison: of what is compared, or all, within the compared stretches.
/// Once for all views, and only while one of them is visible.
///
/// UI thread; works on a thread of its own. A comparison is shown when all its names are there: addresses of two runs do not match.
class DifferenceModel : public WatchedWork {
    Q_OBJECT

public:
    explicit DifferenceModel(CompareContext& context);

    CompareContext& context() { return m_context; }
    const ShownDifference& shown() const { return m_shown; }
    const DifferenceChoices& choices() const { return m_choices; }
    void setChoices(const DifferenceChoices& choices);
    std::vector<SampleKindFacts> kinds() const; ///< That both sides have.

    /// The function that the views speak of.
    const std::optional<SampledFunction>& function() const { return m_function; }
    void chooseFunction(const SampledFunction& function);
    /// Shows its source lines.
    void openSource(const SampledFunction& function);

signals:
    void shownChanged();
    void choicesChanged();
    void functionChosen();
    void sourceRequested();

private:
    struct Question;

    void ask() override;
    void compareAgain();
    static ShownDifference answer(const Question& question, std::stop_token stop);
    static std::array<ComparedSide, 2> collect(const Question& question, std::stop_token stop, ShownDifference& missing);
    static ShownDifference compare(std::array<ComparedSide, 2> sides, const DifferenceChoices& choices, std::stop_token stop);
    void take(ShownDifference shown);

    CompareContext& m_context;
    ShownDifference m_shown;
    DifferenceChoices m_choices;
    std::optional<SampledFunction> m_function;
};

} // namespace helio
