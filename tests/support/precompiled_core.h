// Headers that most tests include, precompiled once for all of them. No file may rely on it.
#pragma once

#include "core/precompiled.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>
