#pragma once

#include "widgets/compare/difference/difference_style.h"
#include "widgets/flame/frame/flame_graph_base.h"

#include <functional>

namespace helio {

class DifferenceRamp;
class EmptyPage;

/// Differential flame graph of the calls of a function, or of requests. It compares the callees of the mean quick call (A) and of the mean
/// slow call (B). Widths are times in B; callees that only A has are drawn as outlines.
class CallDifferenceView : public FlameGraphBase {
    Q_OBJECT

public:
    /// `work` shows the progress of computing the tree. `fillKinds` fills the menu that selects the meaning of frame widths, and setKind()
    /// names the current choice; if `fillKinds` is empty, there is no menu.
    CallDifferenceView(SharedQuery& work, std::function<void(QMenu* menu)> fillKinds, QWidget* parent = nullptr);

    void setKind(const QString& title);
    /// Texts that name what is compared, if it is not calls.
    struct Words {
        QString one; ///< Name of what either side is, e.g. "Mean of one call".
        QString underWay; ///< Shown in place of the graph until it is computed.
        QString name; ///< Accessible name.
    };
    void setWords(Words words);
    /// A tree without nodes means that there is nothing to show; `why` is the reason for the user.
    void setDifference(DifferenceTree tree, const QString& why);
    const DifferenceResult& shown() const { return m_shown; }

private:
    void build() override;
    void showState() override;
    QString matchShareText(const SampleSum& sum, const FunctionMatcher& matches) const override;
    TipContent tipOf(const FlameFrameRef& place) const override;
    void fillFrameMenu(QMenu& menu, const CallTree& tree, const FlameFrameRef& place) override;

    DifferenceResult m_shown;
    std::shared_ptr<const DifferenceStyle> m_style; ///< Style of the frames that the graph shows; nullptr if it shows none.
    DifferenceResult m_drawn;
    Words m_words;
    bool m_hasKinds;
    Pill* m_kind;
    DifferenceRamp* m_ramp;
    EmptyPage* m_page;
};

} // namespace helio
