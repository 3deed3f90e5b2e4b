// The door to libqrencode; imported by CodexCompanion alone.
#pragma once

#include <qrencode.h>
