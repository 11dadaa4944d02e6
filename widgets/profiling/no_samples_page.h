#pragma once

#include "widgets/controls/pages.h"
#include "widgets/profiling/sample_model.h"

#include <functional>

namespace helio {

/// What views of samples show where there are none: why, and a button that leads to some.
class NoSamplesPage : public EmptyPage {
    Q_OBJECT

public:
    explicit NoSamplesPage(ViewContext& context, QWidget* parent = nullptr);

    /// Of what is shown now. Requires: that is empty.
    void refresh();
    /// Instead: what a view found out itself, and what leads back.
    void offer(const QString& text, const QString& button, std::function<void()> action);

private:
    ViewContext& m_context;
    SampleModel& m_samples;
    std::function<void()> m_action;
};

/// What the samples are those of: "Selected range".
QString samplesTitle(const ShownSamples& shown);

} // namespace helio
