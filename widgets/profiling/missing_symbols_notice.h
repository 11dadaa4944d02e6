#pragma once

#include "widgets/profiling/sample_model.h"

#include <QWidget>

class QLabel;
class QToolButton;

namespace helio {

/// Notice for the user that many of the shown samples are in modules without symbol names, or that call stacks are incomplete. It lists the
/// modules, or says the reason. A link opens the dialog for symbols. The notice is hidden if there is no problem. If the user closes it in
/// one view, it is hidden in all views of samples.
class MissingSymbolsNotice : public QWidget {
    Q_OBJECT

public:
    explicit MissingSymbolsNotice(ViewContext& context, QWidget* parent = nullptr);

    /// Returns the text of the notice; empty if the share is too small to mention.
    static QString textOf(const MissingSymbols& nameless, std::uint64_t samples, bool ofCalls = false);
    static QString textOf(const TruncatedStacks& ends);

private:
    void refresh();
    void updateLook();

    ViewContext& m_context;
    SampleModel& m_samples;
    QLabel* m_text;
    QToolButton* m_close;
};

} // namespace helio
