#pragma once

#include "tests/bench/suite/figures.h"

#include <QJsonObject>

namespace helio::bench {

/// The machine and the trace of the measurements.
struct Setting {
    std::string machine; ///< "AMD EPYC, 2 cores, 23.5 GiB, Linux 6.18"
    std::string trace; ///< "22,096,061 events made of big-kernel, 496 MiB"
};
std::string describeMachine();

/// Load average: programs that run or wait for a processor, over the last minute.
double machineLoad();

std::string asTable(const Setting& setting, const Figures& figures);
/// Markdown table of the figures that have a goal or a comparison.
std::string asMarkdown(const Setting& setting, const Figures& figures);
QJsonObject asJson(const Setting& setting, const Figures& figures);

/// Table of each figure now and in an earlier run's JSON, with the factor of improvement.
std::string compare(const Figures& now, const QJsonObject& before);

} // namespace helio::bench
