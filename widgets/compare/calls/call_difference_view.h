#pragma once

#include "widgets/compare/flame/difference_flame.h"

#include <functional>

namespace helio {

/// Differential flame graph of the calls of a function, or of requests. It compares the callees of the mean quick call (A) and of the mean
/// slow call (B). Widths are times in B; callees that only A has are drawn as outlines.
class CallDifferenceView : public DifferenceFlame {
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
    DifferenceResult toDraw() const override { return m_shown; }
    void showState() override;

    DifferenceResult m_shown;
    Words m_words;
    bool m_hasKinds;
    Pill* m_kind;
};

} // namespace helio
