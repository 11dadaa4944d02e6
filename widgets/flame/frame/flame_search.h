#pragma once

#include "widgets/flame/view/flame_view.h"

#include <QLineEdit>

class QLabel;

namespace helio {

using FunctionMatcher = std::function<bool(const SampledFunction&)>;

/// Which functions a search finds: by a part of their labels, whatever its case. Not threads and commands.
FunctionMatcher functionsLike(const QString& text);

/// A field that colours the frames of a flame graph whose function has the text, with what they amount to. Esc clears it and goes back to
/// the graph. Owned by its parent; the graph outlives it. UI thread.
class FlameSearch : public QLineEdit {
    Q_OBJECT

public:
    /// What the found frames are of all, in words: "58.0 %". `sum` as FlameView::setMatcher() has it. Called while the graph has content.
    using Words = std::function<QString(const SampleSum& sum, const FunctionMatcher& matches)>;

    FlameSearch(FlameView& graph, Words words, QWidget* parent = nullptr);

    /// "58.0 % in 3 frames", to stand inside of the field or beside it.
    QLabel* foundLabel() const { return m_found; }
    QString found() const;
    /// A magnifier at the field's beginning and what was found at its end. Else the label is the caller's to place.
    void holdAll();

    /// The graph has other content.
    void refresh();

signals:
    void left(); ///< By Esc.

private:
    bool event(QEvent* event) override;

    FlameView& m_graph;
    Words m_words;
    QLabel* m_found;
};

} // namespace helio
