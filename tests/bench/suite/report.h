#pragma once

#include "tests/bench/suite/figures.h"

#include <QJsonObject>

namespace helio::bench {

/// Where and on what it was measured.
struct Setting {
    std::string machine; ///< "AMD EPYC, 2 cores, 23.5 GiB, Linux 6.18"
    std::string trace; ///< "22,096,061 events made of big-kernel, 496 MiB"
};
std::string describeMachine();

/// Programs that run and wait for a processor, on average over the last minute.
double machineLoad();

std::string asTable(const Setting& setting, const Figures& figures);
/// Only what has a goal or is compared.
std::string asMarkdown(const Setting& setting, const Figures& figures);
QJsonObject asJson(const Setting& setting, const Figures& figures);

/// Each figure of both, and how many times better it is now than in an earlier run's JSON.
std::string compare(const Figures& now, const QJsonObject& before);

} // namespace helio::bench
