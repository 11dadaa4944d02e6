#pragma once

#include "widgets/controls/pages.h"
#include "widgets/profiling/sample_model.h"

#include <functional>

namespace helio {

/// Page that a view of samples shows if there are no samples: the reason, and a button with an action that helps.
class NoSamplesPage : public EmptyPage {
    Q_OBJECT

public:
    explicit NoSamplesPage(ViewContext& context, QWidget* parent = nullptr);

    /// Updates the page from the current samples. Requires: there are no samples.
    void refresh();
    /// Shows a text and a button instead of the reason why there are no samples, e.g. to undo a filter that left no samples. A click on the
    /// button calls `action`.
    void showAction(const QString& text, const QString& button, std::function<void()> action);

private:
    ViewContext& m_context;
    SampleModel& m_samples;
    std::function<void()> m_action;
};

/// Returns which samples are shown, e.g. "Selected range".
QString samplesTitle(const CollectedSamples& shown);

} // namespace helio
