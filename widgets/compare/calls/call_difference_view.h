#pragma once

#include "widgets/compare/flame/difference_flame.h"

#include <functional>

namespace helio {

/// Differential flame graph for calls of a function, or for requests: compares the callees of the mean quick call (A) and of the mean slow
/// call (B). Widths are times in B; callees that only A has are drawn as outlines.
class CallDifferenceView : public DifferenceFlame {
    Q_OBJECT

public:
    /// `work` shows the progress of computing the tree. `fillKinds` adds the choices for the meaning of frame widths to a menu; setKind()
    /// sets the text of the current choice. There is no menu if `fillKinds` is empty.
    CallDifferenceView(SharedQuery& work, std::function<void(QMenu* menu)> fillKinds, QWidget* parent = nullptr);

    void setKind(const QString& title);
    /// Texts for a view that compares objects other than calls, e.g. requests.
    struct Words {
        QString one; ///< Text that describes the content of one side, used for A and for B, e.g. "Mean of one call".
        QString underWay; ///< Text shown until the graph is computed.
        QString name; ///< Accessible name of the graph.
    };
    void setWords(Words words);
    /// Sets the tree to draw. If the tree has no nodes, the view shows `why` instead of the graph: a text for the user that says why there
    /// is no graph.
    void setDifference(DifferenceTree tree, const QString& why);
    const DifferenceResult& shown() const { return m_shown; }

private:
    DifferenceResult toDraw() const override { return m_shown; }
    void showState() override;

    DifferenceResult m_shown;
    Words m_words;
    bool m_hasKinds;
    Pill* m_kind;
};

} // namespace helio
