#pragma once

#include "widgets/compare/difference/difference_style.h"
#include "widgets/flame/frame/flame_bench.h"

#include <functional>

namespace helio {

class DifferenceRamp;
class EmptyPage;

/// The differential flame graph of a function's calls, or of requests: what the mean of its quick ones called, and the mean of its slow
/// ones, as wide as the time in the slow ones, with what the quick ones alone called as outlines.
class CallDifferenceView : public FlameBench {
    Q_OBJECT

public:
    /// `work`: what the tree is made of. `fillKinds` fills the menu of what frames are as wide as, whose present choice setKind() names;
    /// none: there is nothing to choose.
    CallDifferenceView(WatchedWork& work, std::function<void(QMenu* menu)> fillKinds, QWidget* parent = nullptr);

    void setKind(const QString& title);
    /// Of what else than calls it is.
    struct Words {
        QString one; ///< "Mean of one call": what either side is.
        QString underWay; ///< In place of the graph until it is there.
        QString name; ///< For who does not see it.
    };
    void setWords(Words words);
    /// A tree without nodes: there is nothing to show, because of what `why` says.
    void setDifference(DifferenceTree tree, const QString& why);
    const ShownDifference& shown() const { return m_shown; }

private:
    void build() override;
    void showState() override;
    QString foundWords(const SampleSum& sum, const FunctionMatcher& matches) const override;
    TipContent tipOf(const FlamePlace& place) const override;
    void fillFrameMenu(QMenu& menu, const CallTree& tree, const FlamePlace& place) override;

    ShownDifference m_shown;
    std::shared_ptr<const DifferenceStyle> m_style; ///< Of what the graph shows. Null: nothing.
    ShownDifference m_drawn;
    Words m_words;
    bool m_hasKinds;
    Pill* m_kind;
    DifferenceRamp* m_ramp;
    EmptyPage* m_page;
};

} // namespace helio
